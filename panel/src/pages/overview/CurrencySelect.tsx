import { Select } from '@mantine/core'
import { useTexts } from '../../texts/LanguageProvider.tsx'

interface CurrencySelectProps {
  currencies: string[]
  chosen: string
  onChoose(currency: string | null): void
}

export function CurrencySelect({ currencies, chosen, onChoose }: CurrencySelectProps) {
  const { overview: t } = useTexts()
  return (
    <Select
      aria-label={t.currency}
      size="xs"
      w={110}
      allowDeselect={false}
      value={chosen}
      onChange={onChoose}
      data={currencies.map((currency) => ({ value: currency, label: currency || t.noCurrency }))}
    />
  )
}
