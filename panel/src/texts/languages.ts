export const languages = { en: { name: 'English', dir: 'ltr' }, fa: { name: 'فارسی', dir: 'rtl' } } as const
export type Language = keyof typeof languages
