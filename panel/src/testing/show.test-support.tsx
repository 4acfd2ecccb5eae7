import { DirectionProvider, MantineProvider } from '@mantine/core'
import type { Ability } from '@peyk/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { queryClient } from '../api/query-client.ts'
import { AppContext, type CurrentApp } from '../api/use-app.ts'
import { ConfirmProvider } from '../parts/Confirm.tsx'
import { Toasts } from '../shell/Toasts.tsx'
import { LanguageProvider } from '../texts/LanguageProvider.tsx'
import type { Language } from '../texts/languages.ts'
import { theme } from '../theme.ts'

interface Options {
  language?: Language
  /** What the member may not do. An admin may do everything. */
  mayNot?: readonly Ability[]
  email?: string
  /** The route of the page, where the part reads its address. */
  route?: string
  at?: string
}

/** Shows a part of the panel as it stands on a page, and gives a person to use it. */
export async function show(part: ReactElement, options: Options = {}) {
  const { language = 'en', mayNot = [], email = 'sara@shop.example', route = '/$app/page', at = '/shop/page' } = options
  localStorage.setItem('peyk-language', language)
  const app: CurrentApp = {
    appId: 'shop',
    name: 'Shop',
    role: 'admin',
    email,
    isDevelopment: false,
    clientUrl: 'https://push.shop.example',
    hasPhones: false,
    may: (ability) => !mayNot.includes(ability),
  }
  const client = new QueryClient({ defaultOptions: queryClient.getDefaultOptions() })
  const root = createRootRoute({ notFoundComponent: () => <p>Another page</p> })
  const page = createRoute({ getParentRoute: () => root, path: route, component: () => part })
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [at] }),
  })
  await router.load()
  const shown = render(
    <DirectionProvider>
      <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
        <LanguageProvider>
          <QueryClientProvider client={client}>
            <ConfirmProvider>
              <AppContext value={app}>
                <RouterProvider router={router} />
              </AppContext>
              <Toasts />
            </ConfirmProvider>
          </QueryClientProvider>
        </LanguageProvider>
      </MantineProvider>
    </DirectionProvider>,
  )
  await waitFor(() => {
    if (shown.container.childElementCount === 0) throw new Error('the texts are not loaded')
  })
  // No styles are loaded: there is nothing that could be in the way of the pointer.
  const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 })
  return {
    ...shown,
    user,
    /** Writes a text in place of what stands there, at once: every key that is typed draws the part again. */
    fill: async (field: HTMLElement, text: string) => {
      await user.clear(field)
      if (text !== '') await user.paste(text)
    },
    pathname: () => router.state.location.pathname,
    go: (to: string) => router.navigate({ to }),
  }
}
