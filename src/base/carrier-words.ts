/** Stop words of questions about code: they phrase the question but name nothing in the repository. */
export const CARRIERS: ReadonlySet<string> = new Set(
  (
    "a an the and or but so then also too if as at by for from in into of off on out over to up with without about between after before " +
    "i me my we us our you your is are was were be been being am do does did has have had will would can could should shall may might must " +
    "not no any some all every each other others another else more most just only really actually now again still yet please here there it " +
    "its itself that this these those they them their theirs what which who whom whose when where why how s re ve d ll m t don doesn isn " +
    "aren wasn can couldn won wouldn same anywhere somewhere everywhere " +
    "tell show see look find give list explain describe walk through trace know understand mean means want need let " +
    "call calls called calling caller callers callee callees use uses used using usage usages invoke invokes invoked reference references " +
    "referenced import imports imported define defines defined definition definitions declare declared implement implements implemented " +
    "implementation implementations test tests tested testing cover covers covered coverage return returns returned throw throws thrown " +
    "raise raises raised handle handles handled depend depends dependent dependents dependency dependencies affect affects affected impact " +
    "break breaks broken change changes changed changing work works working fix fixes fixed refactor rename renamed move moved remove " +
    "removed delete add write document documented optimise optimize simplify improve happen happens happening come comes go goes live lives " +
    "located exist exists make makes get gets set sets own owns wrote written trigger triggers triggered support supports expect expects " +
    "contain contains belong belongs read reads take takes accept accepts pass passes passed store stores stored anything something " +
    "nothing everything whats hows whos wheres if many deal deals difference different related relation null none empty " +
    "function functions method methods class classes module modules file files code place places line lines part parts piece one ones thing " +
    "things example examples bug bugs issue problem error errors docs documentation comment comments type types signature argument arguments " +
    "parameter parameters body source name side effect effects chain detail details way ways reason unit"
  ).split(" "),
);
