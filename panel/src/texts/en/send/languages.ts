/** The texts about languages of a message, in English. */
export const languagesEn = {
  label: 'Languages',
  plain: 'Default',
  add: 'Add language',
  search: 'Search languages',
  none: 'No such language',
  most: 'A message has 20 languages at most.',
  remove: (name: string) => `Remove ${name}`,
  hint: (name: string) => `For devices whose language is ${name}. What is empty is as in the default.`,
  complete: 'All texts are written',
  missing: (missing: number, shown: string) =>
    missing === 1 ? 'One text is missing: the default is used' : `${shown} texts are missing: the default is used`,
  empty: 'Nothing is written yet',
  preview: (name: string) => `Preview in ${name}`,
  devices: 'Languages of the devices',
}
