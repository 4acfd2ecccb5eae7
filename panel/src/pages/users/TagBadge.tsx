import { Badge, CloseButton } from '@mantine/core'
import type { TagOfUser } from '@peyk/contract'
import { useTexts } from '../../texts/LanguageProvider.tsx'

/** A tag, with its value when it has one. */
export function TagBadge({ tag: { tag, value }, onRemove }: { tag: TagOfUser; onRemove?: (() => void) | undefined }) {
  const { users: texts } = useTexts()
  return (
    <Badge
      variant="light"
      tt="none"
      size={onRemove ? 'lg' : 'md'}
      maw="100%"
      {...(onRemove && {
        rightSection: <CloseButton size="xs" aria-label={texts.removeTag(tag)} onClick={onRemove} c="inherit" />,
      })}
    >
      <bdi>{value === undefined ? tag : `${tag}: ${value}`}</bdi>
    </Badge>
  )
}
