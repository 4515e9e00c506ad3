/**
 * What a design and its PRD say, as data. Made by read-design.ts; nothing here decides. Every part remembers its file and
 * its line, and a section that Forge does not know is kept as text in `extra`. Types only.
 */
import type { CodingStandards } from './coding-standards.ts';

export interface DesignPlace {
  readonly file: string;
  readonly line: number;
}

export interface KeptSection extends DesignPlace {
  readonly title: string;
  readonly text: string;
}

export interface Design extends DesignPlace {
  readonly dir: string;
  readonly name: string;
  readonly objective: string;
  readonly status: string;
  /** In the order of the module index. */
  readonly modules: readonly DesignModule[];
  readonly mapping: readonly FeatureUse[];
  readonly protocols: readonly Protocol[];
  readonly apis: readonly ApiContract[];
  readonly promotions: readonly Promotion[];
  /** By topic; empty where the design has no such section. */
  readonly techStack: string;
  readonly testStrategy: string;
  readonly prd: ProductRequirements | undefined;
  readonly standards: CodingStandards;
  readonly extra: readonly KeptSection[];
}

export interface DesignModule extends DesignPlace {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly responsibility: string;
  readonly complexity: string;
  readonly depends: readonly string[];
  /** Modules used through an interface that this module defines itself: needed at run time, not to build it. */
  readonly viaInterface: readonly string[];
  readonly impl: string;
  /** Where the module index names it. */
  readonly indexed: DesignPlace;
  readonly features: readonly string[];
  readonly interfaces: string;
  readonly dataModels: string;
  readonly acceptance: readonly string[];
  readonly edgeCases: readonly string[];
  readonly apis: readonly string[];
  readonly ui: UiArchitecture | undefined;
  readonly text: string;
  readonly extra: readonly KeptSection[];
}

export interface UiArchitecture {
  readonly action: 'promote' | 'extend' | 'rewrite' | undefined;
  /** Relative to the repository; only where the draft is kept. */
  readonly draftPath: string | undefined;
}

export interface FeatureUse extends DesignPlace {
  readonly feature: string;
  readonly module: string;
  readonly use: 'changes' | 'reads';
}

export interface Protocol extends DesignPlace {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** The other columns, as written. */
  readonly text: string;
}

export interface ApiContract extends DesignPlace {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

export interface Promotion extends DesignPlace {
  readonly module: string;
  readonly action: string;
  readonly text: string;
}

export interface ProductRequirements extends DesignPlace {
  readonly dir: string;
  readonly name: string;
  readonly features: readonly Feature[];
  readonly journeys: readonly Journey[];
  readonly extra: readonly KeptSection[];
}

export interface Feature extends DesignPlace {
  readonly id: string;
  readonly name: string;
  readonly priority: string;
  readonly depends: readonly string[];
  readonly criteria: readonly Criterion[];
  readonly edgeCases: readonly string[];
  readonly text: string;
}

export interface Criterion extends DesignPlace {
  /** `F-001/AC3`: the number is the place among the bullets. */
  readonly id: string;
  readonly text: string;
}

export interface Journey extends DesignPlace {
  readonly id: string;
  readonly name: string;
  readonly touchpoints: readonly (DesignPlace & { readonly text: string; readonly features: readonly string[] })[];
  readonly scenarios: readonly (DesignPlace & { readonly name: string; readonly path: string })[];
}
