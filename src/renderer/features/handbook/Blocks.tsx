import { pictures } from 'virtual:handbook'
import type { ReactNode } from 'react'
import type { HandbookBlock, HandbookCell, HandbookInline } from '../../../shared/handbook/page.ts'
import { text } from '../../text/text.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import styles from './Blocks.module.css'
import { SectionLink } from '../../ui/signs/SectionLink.tsx'

/** The element id of a heading in a section. */
export function headingId(anchor: string): string {
  return `handbook-${anchor.replace('#', '-')}`
}

function Part({ part }: { readonly part: HandbookInline }): ReactNode {
  if (typeof part === 'string') return part
  switch (part.kind) {
    case 'code':
      return <code>{part.text}</code>
    case 'strong':
      return (
        <b>
          <Line parts={part.parts} />
        </b>
      )
    case 'emphasis':
      return (
        <em>
          <Line parts={part.parts} />
        </em>
      )
    case 'see':
      return (
        <SectionLink section={part.anchor}>
          <Line parts={part.parts} />
        </SectionLink>
      )
    case 'web':
      // The page opens no other site, neither in Electron nor in a browser.
      return (
        <span title={part.href}>
          <Line parts={part.parts} />
          <CopyButton value={part.href} label={text.handbook.copyAddress(part.href)} />
        </span>
      )
    default:
      return null
  }
}

/** A line with its inline formatting. */
function Line({ parts }: { readonly parts: readonly HandbookInline[] }): ReactNode {
  // The text is fixed, so the index is a stable key.
  return parts.map((part, at) => <Part key={at} part={part} />)
}

function Row({
  cells,
  tag: Cell,
}: {
  readonly cells: readonly HandbookCell[]
  readonly tag: 'th' | 'td'
}): ReactNode {
  return (
    <tr>
      {cells.map((cell, at) => (
        <Cell key={at} scope={Cell === 'th' ? 'col' : undefined}>
          <Line parts={cell} />
        </Cell>
      ))}
    </tr>
  )
}

function Table({ block }: { readonly block: HandbookBlock & { kind: 'table' } }): ReactNode {
  return (
    <table className={styles['table']}>
      <thead>
        <Row cells={block.head} tag="th" />
      </thead>
      <tbody>
        {block.rows.map((cells, at) => (
          <Row key={at} cells={cells} tag="td" />
        ))}
      </tbody>
    </table>
  )
}

function Item({ blocks }: { readonly blocks: readonly HandbookBlock[] }): ReactNode {
  const [only, ...more] = blocks
  // A line alone needs no paragraph around it.
  const isLine = only?.kind === 'text' && more.every(({ kind }) => kind === 'list')
  return (
    <li>
      {isLine ? <Line parts={only.parts} /> : null}
      <Blocks blocks={isLine ? more : blocks} />
    </li>
  )
}

function List({ block }: { readonly block: HandbookBlock & { kind: 'list' } }): ReactNode {
  const Tag = block.isOrdered ? 'ol' : 'ul'
  return (
    <Tag className={styles['list']} {...(block.isOrdered ? { start: block.start } : {})}>
      {block.items.map((item, at) => (
        <Item key={at} blocks={item} />
      ))}
    </Tag>
  )
}

function Block({ block }: { readonly block: HandbookBlock }): ReactNode {
  switch (block.kind) {
    case 'text':
      return (
        <p className={styles['text']}>
          <Line parts={block.parts} />
        </p>
      )
    case 'heading':
      return (
        <h3 id={headingId(block.anchor)} className={styles['heading']}>
          <Line parts={block.parts} />
        </h3>
      )
    case 'list':
      return <List block={block} />
    case 'table':
      return <Table block={block} />
    case 'code':
      return (
        <pre className={styles['code']}>
          <code>{block.text}</code>
        </pre>
      )
    case 'quote':
      return (
        <blockquote className={styles['quote']}>
          <Blocks blocks={block.blocks} />
        </blockquote>
      )
    case 'picture':
      return (
        // It scrolls in a narrow column, so the keyboard must reach it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <figure className={styles['picture']} tabIndex={0}>
          <img src={pictures[block.file]} alt={block.alt} />
        </figure>
      )
    default:
      return null
  }
}

/** The blocks of a section. */
export function Blocks({ blocks }: { readonly blocks: readonly HandbookBlock[] }): ReactNode {
  return blocks.map((block, at) => <Block key={at} block={block} />)
}
