/** What helps while a text is written, in English: emoji, and what phones show of it. */
export const writingEn = {
  emoji: {
    open: (field: string) => `Insert emoji: ${field}`,
    title: 'Insert emoji',
    search: 'Search emoji',
    none: 'No emoji found',
    groups: {
      recent: 'Recent',
      found: 'Found',
      smileys: 'Smileys',
      people: 'People and hands',
      hearts: 'Hearts',
      celebration: 'Celebration and sport',
      shopping: 'Shopping',
      objects: 'Objects',
      food: 'Food and drink',
      nature: 'Nature and animals',
      travel: 'Travel and places',
      signs: 'Signs',
    },
  },
  length: {
    count: (shown: string) => `${shown} characters.`,
    collapsed: (rooms: string) => `Collapsed, it shows ${rooms}.`,
    expanded: (rooms: string) => `Expanded, it shows ${rooms}.`,
    rooms: {
      android: (about: string) => `about ${about} on Android`,
      ios: (about: string) => `about ${about} on iOS`,
      web: (about: string) => `about ${about} in browsers`,
    },
  },
}
