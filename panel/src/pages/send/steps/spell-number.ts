interface Words {
  ones: readonly string[]
  tens: readonly string[]
  hundreds: readonly string[]
  thousands: readonly string[]
  /** Between tens and ones, between hundreds and the rest, and between thousands. */
  join: readonly [string, string, string]
}

const english: Words = {
  ones: 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  ),
  tens: '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' '),
  hundreds: '- one two three four five six seven eight nine'.split(' ').map((word) => `${word} hundred`),
  thousands: ['', ' thousand', ' million', ' billion'],
  join: ['-', ' and ', ' '],
}

const persian: Words = {
  ones: 'صفر یک دو سه چهار پنج شش هفت هشت نه ده یازده دوازده سیزده چهارده پانزده شانزده هفده هجده نوزده'.split(' '),
  tens: '- - بیست سی چهل پنجاه شصت هفتاد هشتاد نود'.split(' '),
  hundreds: '- صد دویست سیصد چهارصد پانصد ششصد هفتصد هشتصد نهصد'.split(' '),
  thousands: ['', ' هزار', ' میلیون', ' میلیارد'],
  join: [' و ', ' و ', ' و '],
}

/** A number in words, so that 10,000 is not read as 1,000. */
export function spellNumber(value: number, language: 'en' | 'fa'): string {
  const words = language === 'fa' ? persian : english
  if (value === 0) return words.ones[0] as string
  const groups: string[] = []
  for (let rest = value, index = 0; rest > 0; rest = Math.floor(rest / 1000), index++) {
    if (rest % 1000 > 0) groups.unshift(below1000(rest % 1000, words) + (words.thousands[index] ?? ''))
  }
  return groups.join(words.join[2])
}

function below1000(value: number, words: Words): string {
  const rest = value % 100
  const parts: string[] = []
  if (value >= 100) parts.push(words.hundreds[Math.floor(value / 100)] as string)
  if (rest > 0) parts.push(below100(rest, words))
  return parts.join(words.join[1])
}

function below100(value: number, { ones, tens, join }: Words): string {
  if (value < 20) return ones[value] as string
  const ten = tens[Math.floor(value / 10)] as string
  return value % 10 === 0 ? ten : ten + join[0] + ones[value % 10]
}
