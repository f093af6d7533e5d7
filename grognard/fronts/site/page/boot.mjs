/** How Python begins: the same where a site is built as in the browser, since what is compiled is known by where it stands. */

/** Where all of it is unpacked. */
export const HOME = "/grognard";

/** What Pyodide is begun with, beside the address of its files. */
export const OPTIONS = { env: { HOME, GROGNARD_CACHE: HOME + "/cache", GROGNARD_DATA: HOME + "/data" } };

/** @param {any} python @param {...(ArrayBuffer | Uint8Array)} archives what there is to be unpacked */
export const unpack = (python, ...archives) => {
  python.FS.mkdirTree(HOME);
  for (const archive of archives) python.unpackArchive(archive, "zip", { extractDir: HOME });
  python.runPython(`
    import os, sys
    os.chdir("${HOME}")
    sys.path.insert(0, "${HOME}")
    for folder, _, names in os.walk("cache"):  # what others may write is not read
        for name in (".", *names):
            os.chmod(os.path.join(folder, name), 0o700)`);
};
