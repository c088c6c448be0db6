package org.onesided.endtoend.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.ProjectFolder;

/**
 * Builds the Debian package, installs it into bare roots, and runs the service that its unit describes.
 */
@Tag("full")
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DebianPackageTest
{
    private static final long MOST_BYTES = 80_000_000;
    private static final String UNIT = "usr/lib/systemd/system/onesided.service";

    @TempDir
    private static Path built;

    private static Path deb;

    @TempDir
    private Path folder;

    @BeforeAll
    static void build() throws Exception
    {
        assumeTrue(Commands.exist("dpkg-deb", "dpkg"), "not tested: this machine has no dpkg-deb");
        deb = Files.copy(Commands.build("deb", "[.]deb", false), built.resolve("onesided.deb"));
    }

    @Test
    void shouldBeTheSameBytesWhoeverBuilds() throws Exception
    {
        assertEquals(-1, Files.mismatch(deb, Commands.build("deb", "[.]deb", true)));
        assertTrue(Files.size(deb) < MOST_BYTES, Files.size(deb) + " bytes");
    }

    @Test
    void shouldHoldWhatAnAdministratorLooksForAndNothingOfTheBuilder() throws Exception
    {
        final Path root = Files.createDirectory(folder.resolve("unpacked"));
        Commands.run("dpkg-deb", "-R", deb.toString(), root.toString()).assertDone();

        for (final String file : List.of("usr/bin/kvctl", "usr/lib/onesided/runtime/bin/java", UNIT,
            "usr/lib/sysusers.d/onesided.conf", "usr/share/man/man1/kvctl.1.gz", "usr/share/man/man1/kvctl-get.1.gz",
            "usr/share/bash-completion/completions/kvctl", "usr/share/zsh/vendor-completions/_kvctl",
            "usr/share/doc/onesided/running.md", "usr/share/doc/onesided/copyright",
            "usr/share/doc/onesided/changelog.gz", "etc/default/onesided", "etc/onesided/server.properties"))
        {
            assertTrue(Files.isRegularFile(root.resolve(file)), file);
        }
        for (final String file : Files.readAllLines(root.resolve("DEBIAN/conffiles")))
        {
            assertTrue(Files.isRegularFile(root.resolve(file.substring(1))), file);
        }
        final String sums = Commands.result(new ProcessBuilder("md5sum", "-c", "--quiet", "DEBIAN/md5sums")
            .directory(root.toFile())).assertDone();
        assertEquals("", sums);
        final Commands.Result traces = Commands.run("grep", "-rlF", "-e", ProjectFolder.ROOT + "/",
            "-e", System.getProperty("user.home") + "/.m2", root.toString());
        assertEquals("", traces.text());
        assertNamesEachLibrary(root);
        assertIsTakenBySystemd(root);
    }

    @Test
    void shouldLinkEachModuleThatAClassNeeds() throws Exception
    {
        final String script = Files.readString(ProjectFolder.ROOT.resolve("packaging/tree.sh"));
        final Set<String> linked = new TreeSet<>(List.of(
            script.replaceFirst("(?s).*\nmodules='([^']*)'.*", "$1").split(" ")));
        final String tools = ProjectFolder.ROOT.resolve("tools/target").toString();
        // jdeps would have all libraries of a jar with a descriptor be modules.
        final String list = Commands.run("sh", "-euc",
            "unzip -qo \"$2/lib/store-*.jar\" -x module-info.class 'META-INF/*' -d \"$3\" 2>/dev/null; " +
                "exec \"$1/bin/jdeps\" --ignore-missing-deps --multi-release 17 --print-module-deps " +
                "--class-path \"$2/lib/*\" \"$2/kvctl.jar\" \"$3\" $(ls \"$2\"/lib/*.jar | grep -v /store-) " +
                "2>/dev/null | tail -n 1",
            "sh", System.getProperty("java.home"), tools, folder.resolve("classes").toString()).assertDone();
        final Set<String> needed = new TreeSet<>(List.of(list.strip().split(",")));

        // Named by classes of libraries that kvctl does not use; the comment in the script says which.
        assertTrue(needed.removeAll(Set.of("java.compiler", "java.desktop", "java.sql")), list);
        needed.removeAll(linked);
        assertEquals(Set.of(), needed);
    }

    @Test
    void shouldBeInstalledIntoARootThatCannotMakeUsers() throws Exception
    {
        OtherRoot.assumeWorks();
        final Path root = bareRoot();

        final String text = dpkg(root, "--install", deb.toString()).assertDone();

        assertTrue(text.contains("onesided: no user onesided could be made for the service"), text);
        assertTrue(Files.isRegularFile(root.resolve("usr/bin/kvctl")));
        assertEquals("install ok installed", dpkgStatus(root));
    }

    @Test
    void shouldRunAsItsUnitSays() throws Exception
    {
        OtherRoot.assumeWorks();
        assumeTrue(Commands.exist("systemd-sysusers") || Commands.exist("useradd"), "not tested: nothing makes users");
        final Path root = bareRoot();
        dpkg(root, "--force-script-chrootless", "--install", deb.toString()).assertDone();
        final String user = Files.readAllLines(root.resolve("etc/passwd")).stream()
            .filter(line -> line.startsWith("onesided:")).findFirst().orElseThrow().split(":")[2];
        // As StateDirectory= does.
        final Path data = Files.createDirectories(root.resolve("var/lib/onesided"));
        Commands.run("chown", user + ":" + user, data.toString()).assertDone();
        Files.writeString(root.resolve("etc/default/onesided"), """
            # Free ports, and a store on disk.
            KVCTL_SERVER_LISTEN=127.0.0.1:0
            KVCTL_SERVER_METRICS=0
            KVCTL_SERVER_MEMORY=64m
            KVCTL_SERVER_DATA=/var/lib/onesided
            """);
        final List<String> unit = Files.readAllLines(root.resolve(UNIT));
        assertTrue(unit.contains("Type=notify"), unit.toString());
        assertTrue(unit.contains("User=onesided"), unit.toString());
        final List<String> start = List.of(value(unit, "ExecStart").split(" "));

        final OtherRoot inside = new OtherRoot(root, user);
        try (RootServer server = new RootServer(inside, variables(root, unit), start))
        {
            inside.kvctl(server.address(), "put", "key", "größer").assertDone();
            assertEquals("größer", inside.kvctl(server.address(), "get", "key").assertDone());
            inside.kvctl(server.address(), "snapshot").assertDone();
            inside.kvctl(server.address(), "put", "later", "than the snapshot").assertDone();
            server.stop();
        }
        try (RootServer server = new RootServer(inside, variables(root, unit), start))
        {
            assertEquals("größer", inside.kvctl(server.address(), "get", "key").assertDone());
            assertEquals("than the snapshot", inside.kvctl(server.address(), "get", "later").assertDone());
            server.stop();
        }

        final String removed = dpkg(root, "--force-script-chrootless", "--purge", "onesided").assertDone();
        assertTrue(removed.contains("its data stay in " + root + "/var/lib/onesided"), removed);
        assertFalse(Files.exists(root.resolve("usr/lib/onesided")));
        assertFalse(Files.exists(root.resolve("etc/default/onesided")));
        assertTrue(Files.isDirectory(data));
    }

    private Path bareRoot() throws Exception
    {
        final Path root = Files.createDirectory(folder.resolve("root"));
        OtherRoot.makeBare(root);
        for (final String name : List.of("info", "updates", "triggers"))
        {
            Files.createDirectories(root.resolve("var/lib/dpkg").resolve(name));
        }
        Files.createFile(root.resolve("var/lib/dpkg/status"));
        return root;
    }

    /** The root has no packages, so none that this one depends on. */
    private static Commands.Result dpkg(final Path root, final String... arguments) throws Exception
    {
        final List<String> command = new ArrayList<>(List.of("dpkg", "--root=" + root, "--log=/dev/null",
            "--force-depends", "--force-unsafe-io"));
        command.addAll(List.of(arguments));
        return Commands.run(Map.of("DEBIAN_FRONTEND", "noninteractive"), command);
    }

    private static String dpkgStatus(final Path root) throws Exception
    {
        return Commands.run("dpkg-query", "--admindir=" + root.resolve("var/lib/dpkg"), "-W", "-f=${Status}",
            "onesided").assertDone();
    }

    private static String value(final List<String> unit, final String name)
    {
        return unit.stream().filter(line -> line.startsWith(name + "="))
            .map(line -> line.substring(name.length() + 1)).findFirst().orElseThrow();
    }

    /** As systemd sets them: those of the unit, then those of its file. */
    private static Map<String, String> variables(final Path root, final List<String> unit) throws IOException
    {
        final Map<String, String> variables = new HashMap<>();
        Pattern.compile("\"([^\"]*)\"|(\\S+)").matcher(value(unit, "Environment")).results()
            .map(match -> match.group(1) == null ? match.group(2) : match.group(1))
            .forEach(each -> put(variables, each));
        final String file = value(unit, "EnvironmentFile").replaceFirst("^-/", "");
        Files.readAllLines(root.resolve(file)).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(each -> put(variables, each));
        return variables;
    }

    private static void put(final Map<String, String> variables, final String assignment)
    {
        final int equals = assignment.indexOf('=');
        variables.put(assignment.substring(0, equals), assignment.substring(equals + 1));
    }

    private static void assertNamesEachLibrary(final Path root) throws IOException
    {
        final String copyright = Files.readString(root.resolve("usr/share/doc/onesided/copyright"));
        final List<Pattern> named = Pattern.compile("usr/lib/onesided/lib/(\\S+)[*][.]jar").matcher(copyright).results()
            .map(match -> Pattern.compile(Pattern.quote(match.group(1)) + ".*[.]jar")).toList();
        try (Stream<Path> jars = Files.list(root.resolve("usr/lib/onesided/lib")))
        {
            assertEquals(Set.of(), jars.map(jar -> jar.getFileName().toString())
                .filter(jar -> named.stream().noneMatch(each -> each.matcher(jar).matches()))
                .collect(Collectors.toSet()), "not in packaging/debian/copyright");
        }
    }

    private void assertIsTakenBySystemd(final Path root) throws Exception
    {
        if (Commands.exist("systemd-analyze"))
        {
            final String unit = Files.readString(root.resolve(UNIT));
            final Path copy = Files.writeString(
                folder.resolve("onesided.service"), unit.replace("/usr/bin/kvctl", "/bin/sh"));
            final String output = Commands.run("systemd-analyze", "verify", copy.toString()).text();
            // It also tells of other units, and of what this machine lacks; its exit code is about them, too.
            assertFalse(output.lines().anyMatch(line -> line.contains("onesided")), output);
        }
    }
}
