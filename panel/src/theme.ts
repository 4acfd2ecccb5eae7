import { type CSSVariablesResolver, createTheme, Drawer, type MantineColorsTuple, Menu, Modal } from '@mantine/core'
import { focusMenuButton } from './parts/menu-focus.ts'

const courier: MantineColorsTuple = [
  '#e5f6f8',
  '#d0eaee',
  '#a3d6dd',
  '#72c1cb',
  '#4aafbb',
  '#2fa3b0',
  '#1c9aa8',
  '#0a8593',
  '#007885',
  '#006874',
]

export const theme = createTheme({
  colors: { courier },
  primaryColor: 'courier',
  primaryShade: { light: 9, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    'Inter, Vazirmatn, "Segoe UI", -apple-system, BlinkMacSystemFont, Roboto, "Noto Sans", "Noto Sans Arabic", Tahoma, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    // The place that takes the first focus would be something in a menu that is no item of it.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    // A dialog is no page: its head is no banner.
    Modal: Modal.extend({ defaultProps: { attributes: { header: { role: 'none' } } } }),
    Drawer: Drawer.extend({ defaultProps: { attributes: { header: { role: 'none' } } } }),
    MenuDropdown: Menu.Dropdown.extend({ defaultProps: { onClickCapture: focusMenuButton } }),
  },
})

/**
 * Platforms differ in lightness, too, for who sees few colours, and none is louder than the accent. Mantine's faint texts
 * are below the contrast that WCAG AA asks for.
 */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c646c',
    '--mantine-color-placeholder': '#6a727a',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-courier-light-hover': '#c2e3e8',
    '--mantine-color-green-light-color': '#1e6b2e',
    '--mantine-color-yellow-light-color': '#7a4b00',
    '--mantine-color-orange-light-color': '#9c3405',
    '--mantine-color-red-light-color': '#b02525',
    '--peyk-canvas': '#f6f8f9',
    '--peyk-surface': '#ffffff',
    '--peyk-line': '#e3e8ea',
    '--peyk-good': '#237a37',
    '--peyk-android': '#14606b',
    '--peyk-ios': '#5b87c5',
    '--peyk-web': '#a78bd0',
    '--peyk-other': '#5c646c',
    '--peyk-series-1': '#006874',
    '--peyk-series-2': '#d9480f',
    '--peyk-series-3': '#5f3dc4',
    '--peyk-series-4': '#9fcfd6',
  },
  dark: {
    '--mantine-color-text': '#dde2e5',
    '--mantine-color-dimmed': '#b3b9be',
    '--mantine-color-placeholder': '#9aa1a7',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-red-light-color': 'var(--mantine-color-red-4)',
    '--mantine-color-orange-light-color': 'var(--mantine-color-orange-4)',
    '--mantine-color-yellow-light-color': 'var(--mantine-color-yellow-4)',
    '--mantine-color-green-light-color': 'var(--mantine-color-green-4)',
    '--mantine-color-blue-light-color': 'var(--mantine-color-blue-3)',
    '--mantine-color-anchor': 'var(--mantine-color-courier-3)',
    '--peyk-canvas': '#16191b',
    '--peyk-surface': '#1f2325',
    '--peyk-line': '#343a3d',
    '--peyk-good': '#69db7c',
    '--peyk-android': '#93d3da',
    '--peyk-ios': '#6c9be0',
    '--peyk-web': '#8d74bf',
    '--peyk-other': '#adb5bd',
    '--peyk-series-1': '#4aafbb',
    '--peyk-series-2': '#ff922b',
    '--peyk-series-3': '#9775fa',
    '--peyk-series-4': '#2c5a61',
  },
})
