import { untilItAnswers } from '../api/server-state.ts'

/** The files of a page. When they do not come, the service is waited for, and the page that is shown stays meanwhile. */
export async function loadPage<Page>(load: () => Promise<Page>): Promise<Page> {
  return load().catch(async () => {
    await untilItAnswers()
    await loadStylesAgain()
    return load()
  })
}

/** A style sheet that failed is not asked for again by itself, and the page would come without it. */
function loadStylesAgain(): Promise<unknown> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  return Promise.all(
    links
      .filter(({ sheet }) => sheet === null)
      .map((link) => {
        const again = link.cloneNode() as HTMLLinkElement
        const loaded = new Promise((resolve, reject) => {
          again.onload = resolve
          again.onerror = reject
        })
        link.replaceWith(again)
        return loaded
      }),
  )
}
