import { Group, Text } from '@mantine/core'
import { IconBrandAndroid, IconBrandApple, IconDeviceUnknown, IconWorld } from '@tabler/icons-react'
import { useTexts } from '../texts/LanguageProvider.tsx'
import { platformOf } from './platforms.ts'

const signs = { android: IconBrandAndroid, ios: IconBrandApple, web: IconWorld, other: IconDeviceUnknown }

export function PlatformMark({ deviceType }: { deviceType: string }) {
  const { common } = useTexts()
  const platform = platformOf(deviceType)
  const Sign = signs[platform]
  return (
    <Group gap={6} wrap="nowrap" component="span" display="inline-flex" style={{ verticalAlign: 'middle' }}>
      <Sign size={16} color={`var(--peyk-${platform})`} aria-hidden />
      <Text span size="sm" truncate maw="10rem" style={{ whiteSpace: 'nowrap' }}>
        {platform === 'other' ? deviceType : common.platforms[platform]}
      </Text>
    </Group>
  )
}
