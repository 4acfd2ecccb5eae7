/** Toasts that belong to a page, by their id: how many changes of the page each is still to be seen after. */
export class PageToasts {
  private readonly left = new Map<string, number>()

  /** `isOfNextPage`: it was said on the way to another page, and is read there. */
  add(id: string, { isOfNextPage = false } = {}): void {
    this.left.set(id, isOfNextPage ? 1 : 0)
  }

  /** Another page is shown: those that are to be hidden now. */
  leavePage(): string[] {
    const gone = [...this.left].filter(([, count]) => count === 0).map(([id]) => id)
    for (const id of gone) this.left.delete(id)
    for (const id of this.left.keys()) this.left.set(id, 0)
    return gone
  }
}

export const pageToasts = new PageToasts()
