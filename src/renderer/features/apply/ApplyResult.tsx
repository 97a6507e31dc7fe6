import type { ReactNode } from 'react'
import type { AppliedObject, ApplyObject } from '../../../shared/model/apply/apply-yaml.ts'
import type { AppliedText } from '../../store/slices/apply-slice.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Diff } from '../../ui/editor/Diff.tsx'
import styles from './ApplyDialog.module.css'

const words = text.apply

function Head({ object }: { readonly object: ApplyObject }): ReactNode {
  return (
    <>
      <span className={styles['name']}>{object.name}</span>
      {object.namespace === '' ? null : (
        <span className={styles['namespace']}>{object.namespace}</span>
      )}
      <span className={styles['grow']} />
      <span className={styles['place']}>{words.line(object.line)}</span>
    </>
  )
}

function Applied({ object }: { readonly object: AppliedObject }): ReactNode {
  const { outcome, diff, notes, name } = object
  return (
    <li className={styles['object']}>
      <div className={styles['line']}>
        <span className={classNames(styles['outcome'], styles[outcome])}>
          {words.outcomes[outcome]}
        </span>
        <Head object={object} />
      </div>
      {notes.map((note) => (
        <p key={note} className={styles['note']}>
          {note}
        </p>
      ))}
      {diff.length === 0 ? null : <Diff label={words.diff(name)} lines={diff} />}
    </li>
  )
}

/** The objects of the text, and after a dry run what the server would do with each. */
export function ApplyResult({
  found,
  applied,
  isOld,
}: {
  readonly found: readonly ApplyObject[]
  readonly applied: AppliedText | null
  /** The text has changed since. */
  readonly isOld: boolean
}): ReactNode {
  const answered = applied !== null && applied.report.objects.length > 0 ? applied : null
  const state =
    answered === null
      ? words.rehearseFirst
      : isOld
        ? words.old
        : answered.dryRun
          ? words.rehearsed
          : words.stored
  return (
    // It scrolls, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles['result']} aria-label={words.result} tabIndex={0}>
      <output className={styles['state']}>
        {answered === null ? `${words.found(found.length)}. ` : ''}
        {state}
      </output>
      <ul className={classNames(styles['objects'], isOld && styles['old'])}>
        {answered === null
          ? found.map((object) => (
              <li key={`${object.line} ${object.name}`} className={styles['object']}>
                <div className={styles['line']}>
                  <Head object={object} />
                </div>
              </li>
            ))
          : answered.report.objects.map((object) => (
              <Applied key={`${object.line} ${object.name}`} object={object} />
            ))}
      </ul>
    </section>
  )
}
