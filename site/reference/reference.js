// Nothing of this page is sent to anybody but this service: what Scalar offers beyond that is off.
const { Scalar, peykTheme } = window

Scalar.createApiReference('#reference', {
  url: '../openapi.json',
  baseServerURL: location.origin,
  proxyUrl: '',
  telemetry: false,
  agent: { disabled: true, hideAddApi: true },
  mcp: { disabled: true },
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  theme: 'none',
  darkMode: peykTheme.isDark(),
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'header' },
  documentDownloadType: 'none',
  hideModels: true,
  metaData: { title: 'Peyk API' },
  // #tag/sending/toUsers
  generateTagSlug: ({ name = '' }) => name.toLowerCase().replaceAll(' ', '-'),
  generateOperationSlug: ({ operationId, method, path }) => operationId ?? `${method}${path}`,
})

// One choice of light or dark for this page, the guide and the panel.
new MutationObserver(() => {
  const theme = document.body.classList.contains('dark-mode') ? 'dark' : 'light'
  if (document.documentElement.dataset.theme !== theme) peykTheme.choose(theme)
}).observe(document.body, { attributeFilter: ['class'] })
