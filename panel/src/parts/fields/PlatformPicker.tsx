import { SegmentedControl } from '@mantine/core'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { usePageSearch } from '../hooks/use-page-search.ts'
import { type Platform, platforms } from '../platforms.ts'

/** Which platform the page looks at; undefined is all of them. Part of its address. */
export function usePlatform(): [Platform | undefined, (platform: Platform | undefined) => void] {
  const [search, change] = usePageSearch()
  const platform = platforms.find((name) => name === search.platform)
  return [platform, (next) => change({ platform: next })]
}

/** `other` is only offered where there is something of it. */
export function PlatformPicker({ hasOther }: { hasOther: boolean }) {
  const { overview, common } = useTexts()
  const [platform, setPlatform] = usePlatform()
  const shown = platforms.filter((name) => name !== 'other' || hasOther || platform === 'other')
  return (
    <SegmentedControl
      role="radiogroup"
      aria-label={overview.platform}
      value={platform ?? 'all'}
      onChange={(value) => setPlatform(shown.find((name) => name === value))}
      data={[
        { value: 'all', label: overview.allPlatforms },
        ...shown.map((name) => ({ value: name, label: common.platforms[name] })),
      ]}
    />
  )
}
