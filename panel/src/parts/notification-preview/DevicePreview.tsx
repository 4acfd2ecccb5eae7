import { Group, SegmentedControl, Stack, useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { DeviceFrame, type DeviceScheme } from './DeviceFrame.tsx'
import { NotificationPreview } from './NotificationPreview.tsx'
import type { NotificationPreviewProps, PreviewPlatform } from './preview-props.ts'

const platforms: readonly PreviewPlatform[] = ['android', 'ios', 'web']
const schemes = { light: IconSun, dark: IconMoon }

interface DevicePreviewProps
  extends Pick<NotificationPreviewProps, 'notification' | 'appName' | 'icon' | 'marksVariables'> {
  /** Stands on the screen where there is no notification. */
  instead?: ReactNode
}

/** The notification on a device of each platform, collapsed or expanded, in light or dark. */
export function DevicePreview({ instead, ...drawn }: DevicePreviewProps) {
  const { send, common } = useTexts()
  const { preview: texts } = send
  const own = useComputedColorScheme('light')
  const [platform, setPlatform] = useState<PreviewPlatform>('android')
  const [view, setView] = useState<'collapsed' | 'expanded'>('expanded')
  const [scheme, setScheme] = useState<DeviceScheme>()
  const toggle = () => setView(view === 'expanded' ? 'collapsed' : 'expanded')
  return (
    <Stack gap="xs">
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={texts.platform}
        value={platform}
        onChange={setPlatform}
        data={platforms.map((value) => ({ value, label: common.platforms[value] }))}
      />
      <Group gap="xs" wrap="nowrap" mb={4}>
        <SegmentedControl
          flex={1}
          size="xs"
          aria-label={texts.view}
          value={view}
          onChange={setView}
          data={(['collapsed', 'expanded'] as const).map((value) => ({ value, label: texts.views[value] }))}
        />
        <SegmentedControl
          size="xs"
          aria-label={texts.scheme}
          value={scheme ?? own}
          onChange={setScheme}
          data={(['light', 'dark'] as const).map((value) => ({ value, label: <SchemeSign scheme={value} /> }))}
        />
      </Group>
      <DeviceFrame platform={platform} scheme={scheme ?? own} site={drawn.appName}>
        {instead ?? (
          <NotificationPreview
            {...drawn}
            platform={platform}
            expanded={view === 'expanded'}
            // iPhones have no sign for it: one presses long.
            {...(platform !== 'ios' && { onToggle: toggle })}
          />
        )}
      </DeviceFrame>
    </Stack>
  )
}

function SchemeSign({ scheme }: { scheme: DeviceScheme }) {
  const { preview: texts } = useTexts().send
  const Sign = schemes[scheme]
  return (
    <span style={{ display: 'flex', paddingBlock: 2 }} title={texts.schemes[scheme]}>
      <Sign size={14} aria-hidden />
      <VisuallyHidden>{texts.schemes[scheme]}</VisuallyHidden>
    </span>
  )
}
