import { ActionIcon, Avatar, Button, Group, Menu, Modal, Select, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { PanelLink, PanelMember, panelChangeRole, panelMemberLink, panelRemoveMember, Role } from '@peyk/contract'
import { IconDotsVertical, IconLink, IconUserMinus, IconUserPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionKey } from '#api/session-key.ts'
import { useAppMutation } from '#api/use-app-query.ts'
import { Answer } from '#parts/Answer.tsx'
import { useConfirm } from '#parts/Confirm.tsx'
import { useToast } from '#parts/hooks/use-toast.ts'
import { Panel } from '#parts/Panel.tsx'
import { type Column, DataTable } from '#parts/tables/DataTable.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { useMembers } from '../queries.ts'
import { InviteDialog } from './InviteDialog.tsx'
import { LinkShown } from './LinkShown.tsx'
import { roles } from './roles.ts'

export function MembersSection() {
  const { settings, common } = useTexts()
  const words = settings.members
  const format = useFormat()
  const members = useMembers()
  const [isInviting, invite] = useDisclosure(false)
  const [link, setLink] = useState<PanelLink>()
  const columns: Column<PanelMember>[] = [
    {
      key: 'email',
      label: words.email,
      cell: ({ email, isYou }) => (
        <Group gap="sm" wrap="nowrap">
          <Avatar size={32} color="courier" name={email} visibleFrom="xs" aria-hidden />
          <div>
            <Text size="sm" fw={600}>
              <bdi>{email}</bdi>
            </Text>
            {isYou && (
              <Text size="xs" c="dimmed">
                {words.you}
              </Text>
            )}
          </div>
        </Group>
      ),
    },
    { key: 'role', label: words.role, width: 160, cell: (member) => <RoleSelect member={member} /> },
    {
      key: 'seen',
      label: words.seen,
      isExtra: true,
      cell: ({ lastSeenAt }) => (lastSeenAt === undefined ? words.notYet : format.ago(lastSeenAt)),
    },
    { key: 'more', label: '', width: 56, cell: (member) => <More member={member} onLink={setLink} /> },
  ]
  const add = (
    <Button leftSection={<IconUserPlus size={16} />} onClick={invite.open}>
      {words.invite}
    </Button>
  )
  return (
    <Panel title={words.title} lead={words.lead} actions={add} flush>
      <Answer of={members}>
        {(all) => <DataTable label={words.title} columns={columns} rows={all} rowKey={({ id }) => id} />}
      </Answer>
      <InviteDialog isOpen={isInviting} onClose={invite.close} />
      <Modal
        opened={link !== undefined}
        onClose={() => setLink(undefined)}
        title={words.link}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': common.close }}
        size="lg"
      >
        {link && <LinkShown link={link} onDone={() => setLink(undefined)} />}
      </Modal>
    </Panel>
  )
}

function RoleSelect({ member }: { member: PanelMember }) {
  const { settings, common } = useTexts()
  const words = settings.members
  const confirm = useConfirm()
  const toast = useToast()
  const client = useQueryClient()
  const change = useAppMutation<typeof panelChangeRole>('PUT', `/members/${member.id}/role`, {
    refreshes: ['/members'],
    onSuccess: ({ email, role }) => {
      toast.done(words.roleChanged(email, common.roles[role]))
      if (member.isYou) void client.invalidateQueries({ queryKey: sessionKey })
    },
  })
  const pick = async (role: Role) => {
    if (role === member.role) return
    const isSure = await confirm({
      title: member.isYou ? words.ownRoleTitle : words.roleTitle(member.email, common.roles[role]),
      text: member.isYou ? words.ownRoleText : words.roleTexts[role],
      confirmLabel: words.changeRole,
      danger: member.isYou,
    })
    if (isSure) await change.mutateAsync({ role }).catch(toast.failed)
  }
  return (
    <Select
      aria-label={words.roleOf(member.email)}
      data={roles.map((role) => ({ value: role, label: common.roles[role] }))}
      value={member.role}
      onChange={(role) => void pick(role as Role)}
      allowDeselect={false}
      disabled={change.isPending}
      size="sm"
      miw={112}
      comboboxProps={{ width: 300, position: 'bottom-start' }}
      renderOption={({ option }) => (
        <div>
          <Text size="sm" fw={600}>
            {option.label}
          </Text>
          <Text size="xs" c="dimmed">
            {words.roleTexts[option.value as Role]}
          </Text>
        </div>
      )}
    />
  )
}

function More({ member, onLink }: { member: PanelMember; onLink(link: PanelLink): void }) {
  const { settings } = useTexts()
  const words = settings.members
  const confirm = useConfirm()
  const toast = useToast()
  const makeLink = useAppMutation<typeof panelMemberLink>('POST', `/members/${member.id}/link`)
  const remove = useAppMutation<typeof panelRemoveMember>('DELETE', `/members/${member.id}`, {
    refreshes: ['/members'],
  })
  const askRemove = async () => {
    const title = words.removeTitle(member.email)
    if (!(await confirm({ title, text: words.removeText, confirmLabel: words.remove, danger: true }))) return
    await remove.mutateAsync().then(() => toast.done(words.removed(member.email)), toast.failed)
  }
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={words.more(member.email)}>
          <IconDotsVertical size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconLink size={16} />}
          onClick={() => void makeLink.mutateAsync().then(onLink, toast.failed)}
        >
          {words.makeLink}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconUserMinus size={16} />} onClick={() => void askRemove()}>
          {words.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
