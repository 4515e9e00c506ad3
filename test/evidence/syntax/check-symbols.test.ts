/** Names that a plan builds on, looked up by syntax in every language that Forge reads. */
import { describe, expect, it } from 'vitest';
import { checkSymbols } from '../../../src/evidence/syntax/check-symbols.ts';

const sources: Readonly<
  Record<string, { readonly path: string; readonly text: string; readonly defines: readonly string[] }>
> = {
  JavaScript: {
    path: 'src/a.js',
    text: `// function commentedOut() {}\nexport function makeNote() {}\nexport const addTag = () => 'function insideText() {}';\nexport class NoteBook { addPage() {} }\n`,
    defines: ['makeNote', 'addTag', 'NoteBook', 'NoteBook.addPage'],
  },
  TypeScript: {
    path: 'src/a.ts',
    text: `// function commentedOut() {}\nexport interface NoteShape { readonly id: string }\nexport type NoteId = string;\nexport enum Colour { Red }\nexport const text: string = "function insideText() {}";\nexport abstract class Keeper<T> { keep(one: T): T { return one; } }\nexport async function loadNotes<T>(from: T): Promise<T> { return from; }\n`,
    defines: ['NoteShape', 'NoteId', 'Colour', 'Keeper', 'Keeper.keep', 'loadNotes()'],
  },
  TSX: {
    path: 'src/view.tsx',
    text: `// function commentedOut() {}\nexport const NoteView = ({ id }: { id: string }) => <p title="function insideText() {}">{id}</p>;\n`,
    defines: ['NoteView'],
  },
  Python: {
    path: 'notes/a.py',
    text: `# def commentedOut(): pass\n"""def insideText(): pass"""\nLIMIT = 5\nclass NoteStore:\n    def add_note(self):\n        return 'def insideText(): pass'\n\nasync def load_notes():\n    pass\n`,
    defines: ['NoteStore', 'NoteStore.add_note', 'load_notes'],
  },
  Go: {
    path: 'notes/a.go',
    text: 'package notes\n\n// func commentedOut() {}\nconst text = `func insideText() {}`\n\ntype NoteStore struct{ id string }\n\nfunc NewStore() *NoteStore { return nil }\n\nfunc (s *NoteStore) AddNote() {}\n',
    defines: ['NoteStore', 'NewStore', 'NoteStore.AddNote'],
  },
  Rust: {
    path: 'src/a.rs',
    text: '// fn commentedOut() {}\nconst TEXT: &str = "fn insideText() {}";\npub struct NoteStore { id: u32 }\npub enum Colour { Red }\npub trait Keeper { fn keep(&self); }\nimpl NoteStore { pub fn add_note(&self) {} }\npub fn load_notes() {}\n',
    defines: ['NoteStore', 'Colour', 'Keeper', 'NoteStore::add_note', 'load_notes'],
  },
  Java: {
    path: 'src/NoteStore.java',
    text: '// void commentedOut() {}\npackage notes;\npublic class NoteStore {\n  static final String TEXT = "void insideText() {}";\n  public void addNote() {}\n}\ninterface Keeper { void keep(); }\nenum Colour { RED }\n',
    defines: ['NoteStore', 'NoteStore#addNote', 'Keeper', 'Colour'],
  },
};

describe.each(Object.entries(sources))('in %s', (_, { path, text, defines }) => {
  const check = (names: readonly string[], files: readonly { path: string; text: string }[]) =>
    checkSymbols({ names, created: ['src/fresh.js'], files }).map(({ name, state }) => [name, state]);

  it('finds what is defined, and nothing in comments and text', () => {
    expect(check(defines, [{ path, text }])).toEqual(defines.map((name) => [name, 'verified']));
    expect(check(['commentedOut', 'insideText', 'nowhere'], [{ path, text }])).toEqual([
      ['commentedOut', 'missing'],
      ['insideText', 'missing'],
      ['nowhere', 'missing'],
    ]);
  });

  it('tells what is defined twice, what the plan makes, and what nobody can look up', () => {
    const [first = ''] = defines;
    const twice = [
      { path, text },
      { path: path.replace(/a(?=\.)|NoteStore(?=\.)|view(?=\.)/, 'b'), text },
    ];
    expect(check([first], twice)).toEqual([[first, 'ambiguous']]);
    expect(check(['src/fresh.js', 'fresh'], [])).toEqual([
      ['src/fresh.js', 'greenfield'],
      ['fresh', 'greenfield'],
    ]);
    expect(check(['handlers.${kind}'], [{ path, text }])).toEqual([['handlers.${kind}', 'uncheckable']]);
  });
});
