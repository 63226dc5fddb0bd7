// Run with every test file: files that share a process load other modules only once.
import { afterAll } from "vitest";
import { removeFolders } from "./temp-folder.ts";

afterAll(removeFolders);
