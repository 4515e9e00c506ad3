/** A page that a workflow words once (`policy/page.ts`), laid out for a browser. */
import type { ReactNode } from 'react';
import type { PageField } from '../../../src/policy/page.ts';
import type { Page, PageBlock } from '../model.ts';
import { Said } from './basics.tsx';

export function PageView({ page }: { readonly page: Page }): ReactNode {
  return (
    <div className="page-view">
      {page.sections.map((section) => (
        <section key={section.title}>
          <h3>{section.title}</h3>
          {section.blocks.map((block, at) => (
            // Blocks of a page never change places.
            <Block key={at} block={block} />
          ))}
        </section>
      ))}
    </div>
  );
}

function Block({ block }: { readonly block: PageBlock }): ReactNode {
  switch (block.type) {
    case 'text':
      return (
        <p className="prose">
          <Said text={block.text} />
        </p>
      );
    case 'list':
      return (
        <ul>
          {block.items.map((item, at) => (
            <li key={at}>
              <Said text={item} />
            </li>
          ))}
        </ul>
      );
    case 'fields':
      return <Fields fields={block.fields} />;
    case 'table':
      return (
        <div className="scroll" role="group" aria-label="Table" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell) => (
                  <th key={cell}>{cell}</th>
                ))}
              </tr>
            </thead>
            {block.rows.map((row, at) => (
              <tbody key={at}>
                <tr>
                  {row.cells.map((cell, place) => (
                    <td key={place}>
                      <Said text={cell} />
                    </td>
                  ))}
                </tr>
                {row.fields.length === 0 ? null : (
                  <tr>
                    <td colSpan={Math.max(1, row.cells.length)} className="row-fields">
                      <Fields fields={row.fields} />
                    </td>
                  </tr>
                )}
              </tbody>
            ))}
          </table>
        </div>
      );
  }
}

export function Fields({ fields }: { readonly fields: readonly PageField[] }): ReactNode {
  return (
    <dl className="fields">
      {fields.map(({ name, value }, at) => (
        <div key={at}>
          <dt>{name}</dt>
          <dd>
            <Said text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
