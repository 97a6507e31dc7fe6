import { marked } from 'marked'
import type { Token, Tokens } from 'marked'
import { plainText } from '../../src/shared/handbook/page.ts'
import type {
  HandbookBlock,
  HandbookCell,
  HandbookInline,
  HandbookPage,
  HandbookSection,
} from '../../src/shared/handbook/page.ts'

/** One page as it is written. `name`: of its file, without `.md`. */
export interface HandbookSource {
  readonly name: string
  readonly text: string
}

/** Markdown that cannot be shown; the message names the file, the problem and the alternative. */
export class HandbookError extends Error {}

/** The fragment that GitHub gives to a heading. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** Reads one page; its links are checked after all pages are read. */
class PageReader {
  readonly #page: string
  readonly #sections: { anchor: string; title: string; blocks: HandbookBlock[] }[] = []
  readonly #anchors = new Set<string>()
  readonly #pictures: ReadonlySet<string>
  #title = ''

  constructor({ name }: HandbookSource, pictures: ReadonlySet<string>) {
    this.#page = name
    this.#pictures = pictures
  }

  read(text: string): HandbookPage {
    for (const token of marked.lexer(text)) this.#top(token)
    if (this.#title === '') this.#refuse('no title', 'begin the page with "# Title"')
    return { name: this.#page, title: this.#title, sections: this.#sections }
  }

  #refuse(what: string, instead: string): never {
    throw new HandbookError(`docs/kubelet/${this.#page}.md: ${what}; ${instead}.`)
  }

  #top(token: Token): void {
    const heading = token.type === 'heading' ? (token as Tokens.Heading) : undefined
    if (heading?.depth === 1) this.#begin(heading)
    else if (heading?.depth === 2) this.#section(heading)
    else {
      const section = this.#sections.at(-1)
      const block = this.#block(token)
      if (block === undefined) return
      if (section === undefined) this.#refuse('text above the title', 'begin with "# Title"')
      section.blocks.push(block)
    }
  }

  #begin(heading: Tokens.Heading): void {
    if (this.#title !== '') this.#refuse('a second title', 'use "##"')
    this.#title = plainText(this.#inline(heading.tokens))
    this.#sections.push({ anchor: this.#page, title: this.#title, blocks: [] })
  }

  #section(heading: Tokens.Heading): void {
    const title = plainText(this.#inline(heading.tokens))
    this.#sections.push({ anchor: this.#anchor(title), title, blocks: [] })
  }

  #anchor(title: string): string {
    const anchor = `${this.#page}#${slugOf(title)}`
    // GitHub would number the second one, and the number would move with the text.
    if (this.#anchors.has(anchor)) this.#refuse(`two headings "${title}"`, 'rename one')
    this.#anchors.add(anchor)
    return anchor
  }

  #block(token: Token): HandbookBlock | undefined {
    switch (token.type) {
      case 'space':
      case 'hr':
      case 'def':
        return undefined
      case 'heading':
        return this.#heading(token as Tokens.Heading)
      case 'paragraph':
        return this.#paragraph(token as Tokens.Paragraph)
      case 'text':
        return { kind: 'text', parts: this.#inline((token as Tokens.Text).tokens ?? []) }
      case 'list':
        return this.#list(token as Tokens.List)
      case 'table':
        return this.#table(token as Tokens.Table)
      case 'code':
        return { kind: 'code', text: (token as Tokens.Code).text }
      case 'blockquote':
        return { kind: 'quote', blocks: this.#blocks((token as Tokens.Blockquote).tokens) }
      case 'html':
        return this.#refuse(`HTML "${token.raw.trim().slice(0, 40)}"`, 'write Markdown')
      default:
        return this.#refuse(`"${token.type}" is not supported`, 'write it in another way')
    }
  }

  #blocks(tokens: readonly Token[]): readonly HandbookBlock[] {
    return tokens.map((token) => this.#block(token)).filter((block) => block !== undefined)
  }

  #heading({ depth, tokens }: Tokens.Heading): HandbookBlock {
    const parts = this.#inline(tokens)
    return { kind: 'heading', anchor: this.#anchor(plainText(parts)), depth, parts }
  }

  #paragraph({ tokens }: Tokens.Paragraph): HandbookBlock {
    const [only, ...more] = tokens
    if (only?.type === 'image' && more.length === 0) return this.#picture(only as Tokens.Image)
    return { kind: 'text', parts: this.#inline(tokens) }
  }

  #picture({ href, text }: Tokens.Image): HandbookBlock {
    const file = /^pictures\/([\w-]+\.svg)$/.exec(href)?.[1]
    if (file === undefined || !this.#pictures.has(file))
      this.#refuse(`picture "${href}"`, 'name an SVG file in docs/kubelet/pictures')
    if (text === '') this.#refuse(`picture "${href}" without words`, 'say what it shows in [ ]')
    return { kind: 'picture', file, alt: text }
  }

  #list({ ordered, start, items }: Tokens.List): HandbookBlock {
    return {
      kind: 'list',
      isOrdered: ordered,
      start: start === '' ? 1 : start,
      items: items.map(({ tokens, task }) =>
        task ? this.#refuse('a task list', 'use a plain list') : this.#blocks(tokens),
      ),
    }
  }

  #table({ header, rows }: Tokens.Table): HandbookBlock {
    const cells = (row: readonly Tokens.TableCell[]): readonly HandbookCell[] =>
      row.map(({ tokens }) => this.#inline(tokens))
    return { kind: 'table', head: cells(header), rows: rows.map(cells) }
  }

  #inline(tokens: readonly Token[]): readonly HandbookInline[] {
    const parts = tokens.map((token) => this.#part(token))
    // Escapes and soft breaks split one text into several tokens.
    return parts.reduce<HandbookInline[]>((joined, part) => {
      const last = joined.at(-1)
      if (typeof part === 'string' && typeof last === 'string') joined.splice(-1, 1, last + part)
      else joined.push(part)
      return joined
    }, [])
  }

  #part(token: Token): HandbookInline {
    switch (token.type) {
      case 'text':
      case 'escape':
        return this.#text((token as Tokens.Text).text)
      case 'codespan':
        return { kind: 'code', text: (token as Tokens.Codespan).text }
      case 'strong':
        return { kind: 'strong', parts: this.#inline((token as Tokens.Strong).tokens) }
      case 'em':
        return { kind: 'emphasis', parts: this.#inline((token as Tokens.Em).tokens) }
      case 'link':
        return this.#link(token as Tokens.Link)
      case 'html':
        return this.#refuse(`HTML "${token.raw.slice(0, 40)}"`, 'write Markdown')
      default:
        return this.#refuse(`"${token.type}" in a line`, 'write it in another way')
    }
  }

  #text(text: string): string {
    const entity = /&(#\w+|\w+);/.exec(text)?.[0]
    if (entity !== undefined) this.#refuse(`"${entity}"`, 'write the character itself')
    return text.replaceAll('\n', ' ')
  }

  #link({ href, tokens }: Tokens.Link): HandbookInline {
    const parts = this.#inline(tokens)
    if (href.startsWith('https://')) return { kind: 'web', href, parts }
    const [, page, slug] = /^(?:\.\/)?(?:([\w-]+)\.md)?(?:#([\w-]+))?$/.exec(href) ?? []
    if (page !== undefined || slug !== undefined) {
      const name = page ?? this.#page
      return { kind: 'see', anchor: slug === undefined ? name : `${name}#${slug}`, parts }
    }
    // Another file of the repository: to be read there, so its words are left without the link.
    if (/^\.\.\/[\w./-]+$/.test(href)) return { kind: 'emphasis', parts }
    return this.#refuse(`link "${href}"`, 'link to a section of the handbook or to https://')
  }
}

function linksIn(parts: readonly HandbookInline[]): readonly string[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string' || part.kind === 'code') return []
    return [...(part.kind === 'see' ? [part.anchor] : []), ...linksIn(part.parts)]
  })
}

function linksOf(block: HandbookBlock): readonly string[] {
  switch (block.kind) {
    case 'text':
    case 'heading':
      return linksIn(block.parts)
    case 'list':
      return block.items.flatMap((item) => item.flatMap(linksOf))
    case 'table':
      return [block.head, ...block.rows].flatMap((row) => row.flatMap(linksIn))
    case 'quote':
      return block.blocks.flatMap(linksOf)
    default:
      return []
  }
}

function anchorsIn({ anchor, blocks }: HandbookSection): readonly string[] {
  const headings = blocks.filter((block) => block.kind === 'heading')
  return [anchor, ...headings.map((heading) => heading.anchor)]
}

/** Every anchor of the handbook, in its order. */
export function anchorsOf(pages: readonly HandbookPage[]): readonly string[] {
  return pages.flatMap(({ sections }) => sections.flatMap(anchorsIn))
}

/**
 * The handbook as data, in the order of the sources. Raw HTML, pictures from elsewhere and links to sections that
 * do not exist are refused. `pictures`: the file names in docs/kubelet/pictures. Throws `HandbookError`.
 */
export function compileHandbook(
  sources: readonly HandbookSource[],
  pictures: ReadonlySet<string>,
): readonly HandbookPage[] {
  const pages = sources.map((source) => new PageReader(source, pictures).read(source.text))
  const known = new Set(anchorsOf(pages))
  for (const { name, sections } of pages)
    for (const anchor of sections.flatMap(({ blocks }) => blocks.flatMap(linksOf)))
      if (!known.has(anchor))
        throw new HandbookError(
          `docs/kubelet/${name}.md: link to ${anchor}, which does not exist; its page and heading must.`,
        )
  return pages
}
