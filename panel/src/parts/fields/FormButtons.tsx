import { Button, Group } from '@mantine/core'
import { useTexts } from '../../texts/LanguageProvider.tsx'

interface FormButtonsProps {
  onCancel: () => void
  /** "Save" unless given. */
  submit?: string
  isBusy: boolean
  isDisabled?: boolean
}

/** The last line of a dialog's form. */
export function FormButtons({ onCancel, submit, isBusy, isDisabled = false }: FormButtonsProps) {
  const { common } = useTexts()
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        {common.cancel}
      </Button>
      <Button type="submit" loading={isBusy} disabled={isDisabled}>
        {submit ?? common.save}
      </Button>
    </Group>
  )
}
