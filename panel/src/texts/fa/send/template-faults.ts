import type { templateFaultsEn } from '../../en/send/template-faults.ts'

const apart = (text: string) => `\u2066${text}\u2069`
const perhaps = (suggestion: string) => suggestion && ` منظورتان ${apart(suggestion)} بود؟`

export const templateFaultsFa: typeof templateFaultsEn = {
  'output-not-closed': (part) => `«${apart(part)}» را با ${apart('}}')} ببندید.`,
  'tag-not-closed': (part) => `«${apart(part)}» را با ${apart('%}')} ببندید.`,
  'block-not-closed': (part, suggestion) =>
    `در پایان ${apart(`{% ${part} %}`)} باید ${apart(`{% ${suggestion} %}`)} بنویسید.`,
  'unknown-tag': (part, suggestion) => `تگی به نام «${apart(part)}» نداریم.${perhaps(suggestion)}`,
  'unmatched-tag': (part) => `${apart(`{% ${part} %}`)} را پاک کنید یا تگی را که به آن تعلق دارد پیش از آن بنویسید.`,
  'unknown-filter': (part, suggestion) => `فیلتری به نام «${apart(part)}» نداریم.${perhaps(suggestion)}`,
  'empty-output': () => `بین ${apart('{{')} و ${apart('}}')} نام متغیر را بنویسید، یا هر دو را پاک کنید.`,
  'too-long': () => 'متن‌های دارای متغیر روی هم حداکثر ۲۰٬۰۰۰ کاراکتر می‌توانند داشته باشند.',
  unreadable: (part) => (part === '' ? 'پایان متن چیزی کم دارد.' : `اینجا اشکالی هست: «${apart(part)}»`),
}
