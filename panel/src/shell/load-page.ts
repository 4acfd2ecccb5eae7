import { untilItAnswers } from '../api/server-state.ts'

/**
 * The files of a page. When they do not come, the service is waited for, and the page that is shown stays meanwhile. A script
 * that failed stays so for the browser: the second try fails too, and the router then loads everything anew.
 */
export async function loadPage<Page>(load: () => Promise<Page>): Promise<Page> {
  return load().catch(async () => {
    await untilItAnswers()
    await loadStylesAgain()
    return load()
  })
}

const failedStyles = new Set<HTMLLinkElement>()
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
  },
  true,
)

/** A style sheet that failed is not asked for again by itself, and the page would come without it. */
async function loadStylesAgain(): Promise<void> {
  const links = [...failedStyles]
  failedStyles.clear()
  await Promise.all(links.map(loadStyleAgain))
}

function loadStyleAgain(link: HTMLLinkElement): Promise<unknown> {
  const again = link.cloneNode() as HTMLLinkElement
  const loaded = new Promise((resolve, reject) => {
    again.onload = resolve
    again.onerror = reject
  })
  link.replaceWith(again)
  return loaded
}
