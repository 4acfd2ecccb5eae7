import './fonts.css'
import './mantine.css'
import '@mantine/notifications/styles.css'
import './panel.css'
import { DirectionProvider, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { ConfirmProvider } from './parts/Confirm.tsx'
import { router } from './router.tsx'
import { FieldFaults } from './shell/FieldFaults.tsx'
import { Toasts } from './shell/Toasts.tsx'
import { LanguageProvider } from './texts/LanguageProvider.tsx'
import { theme, variables } from './theme.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
// What keeps a page from scrolling under a dialog adds a style too, and looks for the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce })

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <DirectionProvider>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <LanguageProvider>
          <QueryClientProvider client={queryClient}>
            <ConfirmProvider>
              <Toasts />
              <FieldFaults />
              <RouterProvider router={router} />
            </ConfirmProvider>
          </QueryClientProvider>
        </LanguageProvider>
      </MantineProvider>
    </DirectionProvider>
  </StrictMode>,
)
