let open: () => void = () => {}

/** The search dialog says here how it is opened. */
export function offerQuickSearch(opener: () => void): () => void {
  open = opener
  return () => {
    open = () => {}
  }
}

export function openQuickSearch(): void {
  open()
}
