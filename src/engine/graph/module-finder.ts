import type { Definitions } from "./definitions.ts";
import type { Folders } from "./folders.ts";
import { type Questions, question } from "./questions.ts";

/** Finds the files behind the module names of one language or style. */
export abstract class ModuleFinder {
  protected readonly definitions: Definitions;
  protected readonly folders: Folders;
  protected readonly questions: Questions;

  constructor(definitions: Definitions, folders: Folders, questions: Questions) {
    this.definitions = definitions;
    this.folders = folders;
    this.questions = questions;
  }

  /** The file with this path; the question is recorded. */
  protected askAt(path: string): number | undefined {
    this.questions.ask(question.at(path));
    return this.definitions.fileAt(path);
  }
}
