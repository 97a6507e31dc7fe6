import type { ReactNode } from 'react'
import type { PodRow } from '../../shared/model/pod-row.ts'
import { formatRoute, noFilter } from '../routing/route.ts'
import { useAppState } from '../store/store-context.ts'
import { Button } from './Button.tsx'
import text from './text.module.css'
import { useCopy } from './use-copy.ts'

/** What leads another person, or oneself later, to this pod; without the token, which stays in the tab. */
export function linkTo(row: PodRow, host: 'electron' | 'web', address: string): string {
  if (host === 'electron') return `npm start -- --pod ${row.namespace}/${row.name}`
  const hash = formatRoute({
    view: 'pods',
    pod: row.key,
    tab: '',
    node: null,
    item: '',
    beside: null,
    filter: noFilter,
  })
  return `${address.split('#')[0] ?? ''}${hash}`
}

const said = { idle: '', copied: 'Copied', failed: 'Could not copy' } as const

/** Copies the way to a pod: its address in a browser, the line that starts Nodescope with it where there is no address. */
export function CopyLink({ row }: { readonly row: PodRow }): ReactNode {
  const host = useAppState((state) => state.program?.host ?? 'web')
  const { outcome, copy } = useCopy(linkTo(row, host, window.location.href))
  const label = host === 'web' ? 'Copy link' : 'Copy the line that opens this pod'
  return (
    <>
      <Button
        look="quiet"
        icon={outcome === 'copied' ? 'check' : outcome === 'failed' ? 'warn' : 'link'}
        label={label}
        title={outcome === 'idle' ? label : said[outcome]}
        onClick={copy}
      />
      <span className={text['hidden']} aria-live="polite">
        {said[outcome]}
      </span>
    </>
  )
}
