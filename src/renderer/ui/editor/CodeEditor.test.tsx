import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import type { LoadCodeEngine } from './code-engine.ts'
import { CodeEngineContext } from './code-engine.ts'
import { openCodeMirror } from './code-mirror.ts'
import type { CodeProblem } from './code-surface.ts'
import { CodeEditor } from './CodeEditor.tsx'

afterEach(cleanup)

const pod = 'kind: Pod\nmetadata:\n  name: web\n'

function Page({
  problems = [],
  onSave = () => undefined,
  readOnly = false,
  load = null,
}: {
  readonly problems?: readonly CodeProblem[]
  readonly onSave?: (text: string) => void
  readonly readOnly?: boolean
  readonly load?: LoadCodeEngine | null
}): ReactNode {
  const [text, setText] = useState(pod)
  return (
    <CodeEngineContext value={load}>
      <CodeEditor
        value={text}
        onChange={setText}
        readOnly={readOnly}
        language="yaml"
        label="web.yaml"
        problems={problems}
        onSave={() => onSave(text)}
      />
      <button type="button" onClick={() => setText('kind: Node\n')}>
        other
      </button>
    </CodeEngineContext>
  )
}

function textBox(): HTMLTextAreaElement {
  return screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'web.yaml' })
}

describe('a text to edit', () => {
  it('reports typed text, and saves it with Ctrl+S', async () => {
    const saved: string[] = []
    render(<Page onSave={(text) => saved.push(text)} />)
    const user = userEvent.setup()
    await user.click(textBox())
    textBox().setSelectionRange(pod.length, pod.length)
    await user.keyboard('spec: 1{Control>}s{/Control}')
    expect(saved).toEqual([`${pod}spec: 1`])
  })

  it('shows a new text', async () => {
    render(<Page />)
    await userEvent.setup().click(screen.getByRole('button', { name: 'other' }))
    expect(textBox().value).toBe('kind: Node\n')
  })

  it('is left with Tab', async () => {
    render(<Page />)
    const user = userEvent.setup()
    await user.click(textBox())
    await user.tab()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'other' }))
  })

  it('lists its problems, each with a link to its place', async () => {
    render(
      <Page problems={[{ line: 3, column: 9, message: 'metadata.name: Invalid value: "web"' }]} />,
    )
    expect(screen.getByRole('listitem').textContent).toBe(
      'Line 3, column 9: metadata.name: Invalid value: "web"',
    )
    await userEvent.setup().click(screen.getByRole('button', { name: 'Line 3, column 9' }))
    expect(document.activeElement).toBe(textBox())
    expect(textBox().selectionStart).toBe(pod.indexOf('web'))
  })

  it('shows only the message of a problem without a place', () => {
    render(<Page problems={[{ line: null, column: null, message: 'is no YAML' }]} />)
    expect(screen.getByRole('listitem').textContent).toBe('Somewhere: is no YAML')
  })
})

describe('a search in a text', () => {
  it('opens with Ctrl+F, counts, wraps around, and restores the focus on Esc', async () => {
    render(<Page readOnly />)
    const user = userEvent.setup()
    await user.click(textBox())
    await user.keyboard('{Control>}f{/Control}')
    await user.keyboard('me')
    expect(screen.getByRole('status').textContent).toBe('1 of 2')
    await user.keyboard('{Enter}')
    expect(screen.getByRole('status').textContent).toBe('2 of 2')
    await user.keyboard('{Enter}')
    expect(screen.getByRole('status').textContent).toBe('1 of 2')
    await user.keyboard('nothing')
    expect(screen.getByRole('status').textContent).toBe('none')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('textbox', { name: 'Find in web.yaml' })).toBeNull()
    expect(document.activeElement).toBe(textBox())
  })
})

describe('the editor', () => {
  it('replaces the plain text area once it is loaded, with the focus', async () => {
    const { container } = render(<Page load={() => Promise.resolve(openCodeMirror)} />)
    textBox().focus()
    await waitFor(() => expect(container.querySelector('textarea')).toBeNull())
    const root = document.activeElement?.shadowRoot
    const content = root?.querySelector('[role=textbox]')
    expect(content?.getAttribute('aria-label')).toBe('web.yaml')
    expect(content?.textContent).toBe('kind: Podmetadata:  name: web')
    expect(root?.activeElement).toBe(content)
  })

  it('leaves the plain text area if it cannot be loaded', async () => {
    render(<Page load={() => Promise.reject(new Error('no such file'))} />)
    await Promise.resolve()
    expect(textBox().value).toBe(pod)
  })
})
