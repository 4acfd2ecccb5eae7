import { ActionIcon, Popover, Tooltip } from '@mantine/core'
import { type ReactNode, useState } from 'react'

interface PickerProps {
  title: string
  /** What the button says to those who do not see it: it names the field, too. */
  label: string
  icon: ReactNode
  width: number
  padding?: string | number
  onPick(text: string): void
  /** What there is to choose from, while it is open. */
  children(pick: (text: string) => void): ReactNode
}

/** A button beside a text field that opens a choice of what can be inserted. */
export function Picker({ title, label, icon, width, padding = 'sm', onPick, children }: PickerProps) {
  const [isOpen, setIsOpen] = useState(false)
  const pick = (text: string) => {
    setIsOpen(false)
    onPick(text)
  }
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      width={width}
      shadow="md"
      trapFocus
      withinPortal
    >
      <Popover.Target>
        <Tooltip label={title} disabled={isOpen}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={label}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            {icon}
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={padding}>{isOpen && children(pick)}</Popover.Dropdown>
    </Popover>
  )
}
