const key = 'peyk-app'

export function rememberApp(appId: string): void {
  localStorage.setItem(key, appId)
}

export function lastApp(): string | null {
  return localStorage.getItem(key)
}
