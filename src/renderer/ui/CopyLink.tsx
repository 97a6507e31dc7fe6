import type { ReactNode } from 'react'
import type { PodRow } from '../../shared/model/pod-row.ts'
import { formatRoute, viewRoute } from '../routing/route.ts'
import { useAppState } from '../store/store-context.ts'
import { text } from '../text/text.ts'
import { CopyButton } from './CopyButton.tsx'

/** The link to a pod: its address without the access token; in Electron the command that opens it. */
export function linkTo(row: PodRow, host: 'electron' | 'web', address: string): string {
  if (host === 'electron') return `npm start -- --pod ${row.namespace}/${row.name}`
  return `${address.split('#')[0] ?? ''}${formatRoute({ ...viewRoute('pods'), pod: row.key })}`
}

/** Copies the link to a pod. */
export function CopyLink({ row }: { readonly row: PodRow }): ReactNode {
  const host = useAppState((state) => state.program?.host ?? 'web')
  const { link, podLine } = text.common.copy
  return (
    <CopyButton
      value={linkTo(row, host, window.location.href)}
      label={host === 'web' ? link : podLine}
      icon="link"
      isSmall={false}
      failed={text.common.copyFailed}
    />
  )
}
