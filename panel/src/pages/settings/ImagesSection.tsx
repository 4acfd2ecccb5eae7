import { ActionIcon, Button, Center, Text, VisuallyHidden } from '@mantine/core'
import type { deleteImage, KeptImage } from '@peyk/contract'
import { IconPhoto, IconTrash } from '@tabler/icons-react'
import { useAppMutation } from '../../api/use-app-query.ts'
import { useConfirm } from '../../parts/Confirm.tsx'
import { CopyButton } from '../../parts/copy/CopyButton.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { Loading } from '../../parts/Loading.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import classes from './ImagesSection.module.css'
import { useImages } from './queries.ts'

/** The images that were uploaded, so that one can make room for others. */
export function ImagesSection() {
  const { images, common } = useTexts()
  const words = images.list
  const format = useFormat()
  const kept = useImages()
  const total = kept.data?.pages.at(-1)?.total
  const columns: Column<KeptImage>[] = [
    {
      key: 'image',
      label: words.image,
      width: 120,
      cell: ({ url }) => (
        <a href={url} target="_blank" rel="noreferrer">
          <img src={new URL(url).pathname} alt={words.image} loading="lazy" className={classes.image} />
        </a>
      ),
    },
    {
      key: 'size',
      label: words.size,
      cell: ({ width, height, bytes }) => (
        <>
          <Text size="sm">{images.size(format.number(width), format.number(height))}</Text>
          <Text size="xs" c="dimmed">
            {format.bytes(bytes)}
          </Text>
        </>
      ),
    },
    {
      key: 'uploaded',
      label: words.uploaded,
      isExtra: true,
      cell: ({ createdAt }) => (
        <Text size="sm" title={format.moment(createdAt)}>
          {format.ago(createdAt)}
        </Text>
      ),
    },
    {
      key: 'by',
      label: words.by,
      isExtra: true,
      cell: ({ createdBy }) => (
        <Text size="sm">
          <bdi>{createdBy}</bdi>
        </Text>
      ),
    },
    {
      key: 'actions',
      label: <VisuallyHidden>{words.actions}</VisuallyHidden>,
      width: 90,
      cell: (image) => <Actions image={image} />,
    },
  ]
  const lead = total && (
    <>
      {words.lead}{' '}
      {words.used(
        format.bytes(total.bytes),
        format.bytes(total.maxBytes),
        format.number(total.count),
        format.number(total.maxCount),
      )}
    </>
  )
  return (
    <Panel title={words.title} lead={lead ?? words.lead} flush>
      {kept.isError && <Fault error={kept.error} onRetry={() => void kept.refetch()} />}
      {kept.data === undefined && !kept.isError && <Loading rows={6} />}
      {kept.data && (
        <DataTable
          label={words.title}
          columns={columns}
          rows={kept.data.pages.flatMap(({ data }) => data)}
          rowKey={({ hash }) => hash}
          empty={<EmptyState icon={IconPhoto} title={words.none} text={words.noneText} />}
        />
      )}
      {kept.hasNextPage && (
        <Center p="md">
          <Button variant="default" loading={kept.isFetchingNextPage} onClick={() => void kept.fetchNextPage()}>
            {common.more}
          </Button>
        </Center>
      )}
    </Panel>
  )
}

function Actions({ image }: { image: KeptImage }) {
  const words = useTexts().images.list
  const confirm = useConfirm()
  const toast = useToast()
  const remove = useAppMutation<typeof deleteImage>('DELETE', `/images/${image.hash}`, { refreshes: ['/images'] })
  const ask = async () => {
    const { deleteTitle: title, deleteText: text, delete: confirmLabel } = words
    if (!(await confirm({ title, text, confirmLabel, danger: true }))) return
    await remove.mutateAsync().then(() => toast.done(words.deleted), toast.failed)
  }
  return (
    <div className={classes.actions}>
      <CopyButton value={image.url} size="md" />
      <ActionIcon variant="subtle" color="red" aria-label={words.delete} onClick={() => void ask()}>
        <IconTrash size={16} />
      </ActionIcon>
    </div>
  )
}
