// Call sites of TypeScript as its compiler resolves them. Packages of the repository are found by name, as in a linked
// install; external packages are not installed, so their definitions are unknown.
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript-api";

/** See `compare` in call-graph.mjs. */
export async function readSites(root, paths) {
  const program = ts.createProgram({
    rootNames: paths.map((path) => join(root, path)),
    options: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      jsx: ts.JsxEmit.Preserve,
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      experimentalDecorators: true,
      types: [],
      baseUrl: root,
      paths: { ...packagePaths(root, paths), ...ownPaths(root) },
    },
  });
  const checker = program.getTypeChecker();
  const own = new Set(paths);
  const sites = [];
  for (const path of paths) {
    const source = program.getSourceFile(join(root, path));
    if (source) visit(source, source, { checker, root, path, own, sites });
  }
  return sites;
}

/** Path mappings of the repository's own settings. */
function ownPaths(root) {
  for (const name of ["tsconfig.json", "tsconfig.base.json"]) {
    const file = join(root, name);
    const options = existsSync(file) ? ts.readConfigFile(file, ts.sys.readFile).config?.compilerOptions : undefined;
    if (options?.paths) return options.paths;
  }
  return {};
}

function packagePaths(root, paths) {
  const found = {};
  const folders = new Set(paths.flatMap((path) => path.split("/").map((_, at, parts) => parts.slice(0, at).join("/"))));
  for (const folder of folders) {
    const file = join(root, folder, "package.json");
    if (!existsSync(file)) continue;
    const { name } = JSON.parse(readFileSync(file, "utf8"));
    const at = folder === "" ? "." : folder;
    if (!name || found[name]) continue;
    found[name] = [`${at}/src/index`, `${at}/index`];
    found[`${name}/*`] = [`${at}/src/*`, `${at}/src/*/index`, `${at}/*`];
  }
  return found;
}

function visit(node, source, context) {
  const callee = calleeOf(node);
  if (callee) context.sites.push(toSite(node, callee, source, context));
  ts.forEachChild(node, (child) => visit(child, source, context));
}

/** The node that names the called function. */
function calleeOf(node) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) return nameIn(node.expression);
  if (ts.isTaggedTemplateExpression(node)) return nameIn(node.tag);
  if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) return nameIn(node.tagName);
  if (ts.isDecorator(node) && !ts.isCallExpression(node.expression)) return nameIn(node.expression);
  return undefined;
}

function nameIn(expression) {
  let at = expression;
  while (ts.isParenthesizedExpression(at) || ts.isNonNullExpression(at) || ts.isExpressionWithTypeArguments(at))
    at = at.expression;
  if (ts.isPropertyAccessExpression(at)) return at.name;
  return ts.isIdentifier(at) || at.kind === ts.SyntaxKind.SuperKeyword ? at : undefined;
}

function toSite(node, callee, source, { checker, root, path, own }) {
  const symbol = resolved(checker, checker.getSymbolAtLocation(callee));
  const signature = ts.isDecorator(node) ? undefined : checker.getResolvedSignature(node);
  const declarations = [...(symbol?.declarations ?? []), ...(signature?.declaration ? [signature.declaration] : [])];
  // A destructured binding refers to the property of the object.
  for (const declaration of symbol?.declarations ?? []) {
    if (!ts.isBindingElement(declaration)) continue;
    const part = checker
      .getTypeAtLocation(declaration.parent)
      .getProperty((declaration.propertyName ?? declaration.name).getText());
    declarations.push(...(part?.declarations ?? []));
  }
  const type = checker.getTypeAtLocation(callee);
  const targets = new Set();
  let counts = false;
  for (const declaration of declarations) {
    const name = nameOfDeclaration(declaration);
    const file = name?.getSourceFile() && relative(root, name.getSourceFile().fileName);
    if (!name || !own.has(file)) continue;
    targets.add(`${file}:${lineOf(name)}`);
    counts ||= isCallable(declaration);
  }
  return {
    file: path,
    line: lineOf(callee, source),
    name: callee.kind === ts.SyntaxKind.SuperKeyword ? "super" : callee.text,
    caller: callerLine(node),
    targets: [...targets],
    counts,
    known: symbol !== undefined && (type.flags & ts.TypeFlags.Any) === 0,
  };
}

function resolved(checker, symbol) {
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function nameOfDeclaration(declaration) {
  if (ts.isConstructorDeclaration(declaration)) return declaration.parent.name;
  if (ts.isArrowFunction(declaration) || ts.isFunctionExpression(declaration) || ts.isClassExpression(declaration)) {
    const { parent } = declaration;
    return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)
      ? parent.name
      : declaration.name;
  }
  if (ts.isFunctionTypeNode(declaration)) {
    const { parent } = declaration;
    return parent && (ts.isPropertySignature(parent) || ts.isTypeAliasDeclaration(parent)) ? parent.name : undefined;
  }
  return declaration.name;
}

/** Whether a declaration is itself a function or a type; parameters and results of calls are values that hold one. */
function isCallable(declaration) {
  if (
    ts.isVariableDeclaration(declaration) ||
    ts.isPropertyDeclaration(declaration) ||
    ts.isPropertyAssignment(declaration)
  ) {
    const value = declaration.initializer;
    return (
      value !== undefined &&
      (ts.isArrowFunction(value) || ts.isFunctionExpression(value) || ts.isClassExpression(value))
    );
  }
  return (
    ts.isFunctionDeclaration(declaration) ||
    ts.isMethodDeclaration(declaration) ||
    ts.isMethodSignature(declaration) ||
    ts.isConstructorDeclaration(declaration) ||
    ts.isClassDeclaration(declaration) ||
    (ts.isPropertySignature(declaration) && declaration.type !== undefined && ts.isFunctionTypeNode(declaration.type))
  );
}

/** Line of the named function that contains a node; 0 for none. */
function callerLine(node) {
  for (let at = node.parent; at; at = at.parent) {
    if (ts.isConstructorDeclaration(at)) return lineOf(at, at.getSourceFile());
    const isNamed =
      ts.isFunctionDeclaration(at) ||
      ts.isMethodDeclaration(at) ||
      ts.isAccessor(at) ||
      ts.isArrowFunction(at) ||
      ts.isFunctionExpression(at);
    if (!isNamed) continue;
    const { parent } = at;
    const isValue =
      (ts.isArrowFunction(at) || ts.isFunctionExpression(at)) &&
      (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) &&
      parent.initializer === at;
    if (isValue) return lineOf(parent.name);
    if (at.name && !ts.isFunctionExpression(at)) return lineOf(at.name);
  }
  return 0;
}

function lineOf(node, source = node.getSourceFile()) {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}
