import type { ReactNode } from 'react'
import type { FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import { text } from '../../../text/text.ts'
import { KeyValueList } from '../../../ui/KeyValueList.tsx'
import { Note } from '../../../ui/Note.tsx'
import { SectionTag } from '../../../ui/signs/SectionTag.tsx'
import { useIsLogged, useTables } from '../flow-context.ts'
import { partForm, useIsPartKnown, usePartDetails } from '../parts/part-forms.tsx'
import styles from './PartLists.module.css'
import { Moves, Pods, Quiet } from './PartLists.tsx'

/** What moved along the part's arrows, as its row in the table says. */
function PartMoves({ part }: { readonly part: FlowPartRow }): ReactNode {
  const { arrows } = useTables()
  if (part.moves === undefined) return null
  const { along, ...words } = part.moves
  const own = arrows.filter(
    ({ from, to }) => (along !== 'from' && to === part.id) || (along !== 'to' && from === part.id),
  )
  return <Moves arrows={own.map(({ id }) => id)} {...words} />
}

/** An open part: its purpose, its place in Kubernetes, what it holds, and what moved last. */
export function PartBody({ part }: { readonly part: FlowPartRow }): ReactNode {
  const { pods = [], Rest } = partForm(part)
  const isKnown = useIsPartKnown(part)
  const isLogged = useIsLogged()
  const { problems, facts } = usePartDetails(part)
  const items = Object.entries(facts).map(([label, value]) => ({ label, value }))
  const [file, name] = part.upstream
  return (
    <>
      <p className={styles['purpose']}>{part.purpose}</p>
      <p className={styles['upstream']}>
        {text.flow.details.upstream(<code>{name}</code>, <code>{file}</code>)}
        {part.section === undefined ? null : <SectionTag section={part.section} />}
      </p>
      {problems.map(({ icon, where, message }) => (
        <Note key={`${where} ${message}`} variant="error" icon={icon}>
          <p>
            <code>{where}</code> {message}
          </p>
        </Note>
      ))}
      {items.length === 0 ? null : <KeyValueList items={items} />}
      {isKnown ? null : <Quiet>{text.flow.notKnownMeaning(isLogged)}</Quiet>}
      {isKnown ? pods.map((list) => <Pods key={list.filter + list.without} {...list} />) : null}
      {isKnown && Rest !== undefined ? <Rest /> : null}
      <PartMoves part={part} />
    </>
  )
}
