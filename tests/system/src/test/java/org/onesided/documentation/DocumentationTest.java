package org.onesided.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.ProjectFolder;
import org.onesided.tools.kvctl.KvctlSyntax;

/**
 * Every command line in README, CONTRIBUTING and docs is run as it stands, in the order of its page, and must print
 * what the page shows, or is known to be run by another test. What is named within sentences must be there.
 */
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DocumentationTest
{
    /** What may be run here without a thought; all else must be listed in {@link Elsewhere}. */
    private static final Set<String> HARMLESS =
        Set.of("cat", "cut", "dpkg-query", "echo", "grep", "gzip", "head", "openssl", "printf", "source", "zcat");
    private static final Path INDEX = ProjectFolder.ROOT.resolve("docs/README.md");

    @TempDir
    private Path directory;

    private enum Way
    {
        RUN, PARSED, ELSEWHERE, NONE;

        /** In the order of a block. */
        static Map<ShownCommand, Way> of(final List<ShownCommand> block)
        {
            final Map<ShownCommand, Way> ways = new LinkedHashMap<>();
            Way last = NONE;
            for (final ShownCommand command : block)
            {
                // Whose exit code is asked for, it belongs to.
                last = command.asksForExitCode() ? last : of(command);
                ways.put(command, last);
            }
            return ways;
        }

        private static Way of(final ShownCommand command)
        {
            final List<ShellCall> calls = command.calls();
            if (Elsewhere.TESTS.containsKey(command.name()))
            {
                return ELSEWHERE;
            }
            if (calls.stream().allMatch(call -> Scripts.isOne(call.program())))
            {
                return PARSED;
            }
            final boolean isHarmless =
                calls.stream().allMatch(call -> call.isKvctl() || HARMLESS.contains(call.program()));
            return isHarmless && command.host().isEmpty() ? RUN : NONE;
        }
    }

    @Test
    void shouldRunEachCommandLineOrKnowWhoDoes() throws Exception
    {
        final List<String> complaints = new ArrayList<>();
        final Map<Way, Integer> counts = new LinkedHashMap<>();
        final Path calls = Files.createDirectory(directory.resolve("calls"));
        try (KvctlGate gate = new KvctlGate(calls);
            DocumentedServer server = new DocumentedServer(directory, List.of("server", "--memory", "32m")))
        {
            prepare(gate, server.address());
            for (final Page page : Page.all())
            {
                boolean isRun = false;
                for (final List<ShownCommand> block : page.blocks())
                {
                    final Map<ShownCommand, Way> ways = Way.of(block);
                    ways.values().forEach(way -> counts.merge(way, 1, Integer::sum));
                    ways.keySet().stream().filter(command -> ways.get(command) == Way.NONE).forEach(command ->
                        complaints.add(command.place() + "\n  neither run here nor listed in Elsewhere"));
                    isRun |= ways.containsValue(Way.RUN);
                }
                if (isRun && !isThere("openssl") && calls(page, "openssl"))
                {
                    System.out.println("documentation: not run, openssl is not there: " + page.name());
                }
                else if (isRun)
                {
                    complaints.addAll(run(page, gate, server.address()));
                }
            }
        }
        assertTrue(complaints.isEmpty(), () -> String.join("\n\n", complaints));
        System.out.printf("documentation: command lines: %d run here, %d parsed only, %d run by other tests%n",
            counts.get(Way.RUN), counts.get(Way.PARSED), counts.get(Way.ELSEWHERE));
    }

    private static boolean calls(final Page page, final String program)
    {
        return page.blocks().stream().flatMap(List::stream)
            .anyMatch(command -> command.calls().stream().anyMatch(call -> call.program().equals(program)));
    }

    private static boolean isThere(final String program)
    {
        return Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Puts what readers of the examples have. */
    private void prepare(final KvctlGate gate, final String server) throws Exception
    {
        try (PageRun run = new PageRun(Files.createDirectory(directory.resolve("prepare")), gate, server))
        {
            run.prepare("kvctl import pairs.tsv && kvctl mput photo-1 a photo-2 b photo-3 c job-17 d session-17 e");
        }
    }

    private List<String> run(final Page page, final KvctlGate gate, final String server) throws Exception
    {
        final List<String> complaints = new ArrayList<>();
        final Path folder = Files.createDirectories(directory.resolve(page.name()));
        try (PageRun pageRun = new PageRun(folder, gate, server))
        {
            for (final List<ShownCommand> block : page.blocks())
            {
                final Map<ShownCommand, Way> ways = Way.of(block);
                complaints.addAll(pageRun.run(block.stream().filter(each -> ways.get(each) == Way.RUN).toList()));
            }
        }
        return complaints;
    }

    @Test
    void shouldHaveOnlyCallsThatKvctlAndTheScriptsTake() throws Exception
    {
        final List<String> complaints = new ArrayList<>();
        int inSentences = 0;
        for (final Page page : Page.all())
        {
            for (final ShownCommand command : page.blocks().stream().flatMap(List::stream).toList())
            {
                for (final ShellCall call : command.calls())
                {
                    final String complaint = call.kvctlArguments() != null ?
                        KvctlSyntax.complaint(call.kvctlArguments()) : Scripts.complaint(call);
                    if (complaint != null)
                    {
                        complaints.add(command.place() + "\n  " + complaint);
                    }
                }
            }
            for (final String code : page.code())
            {
                for (final ShellCall call : ShellCall.of(code))
                {
                    if (call.kvctlArguments() != null || Scripts.isOne(call.program()))
                    {
                        inSentences++;
                        final String complaint = call.kvctlArguments() != null ?
                            KvctlSyntax.unknown(call.kvctlArguments()) : Scripts.complaint(call);
                        if (complaint != null)
                        {
                            complaints.add(page.name() + ": `" + code + "`\n  " + complaint);
                        }
                    }
                }
            }
        }
        assertTrue(complaints.isEmpty(), () -> String.join("\n\n", complaints));
        System.out.printf("documentation: calls within sentences: %d parsed%n", inSentences);
    }

    @Test
    void shouldListOnlyWhatAPageHasAndATestDoes() throws IOException
    {
        final Set<String> stale = new TreeSet<>(Elsewhere.TESTS.keySet());
        for (final Page page : Page.all())
        {
            page.blocks().forEach(block -> block.forEach(command -> stale.remove(command.name())));
        }
        assertEquals(Set.of(), stale, "listed, but on no page");
        for (final String test : new TreeSet<>(Elsewhere.TESTS.values()))
        {
            assertTrue(Scripts.hasTest(test, ""), "there is no " + test);
        }
    }

    @Test
    void shouldHaveLinksThatLeadSomewhere()
    {
        final List<String> complaints = new ArrayList<>();
        for (final Page page : Page.all())
        {
            for (final String link : page.links())
            {
                final String[] parts = link.split("#", 2);
                final Path target = parts[0].isEmpty() ? page.path() : page.path().resolveSibling(parts[0]);
                if (!link.matches("https?:.*") &&
                    (!Files.exists(target) || parts.length > 1 && !Page.of(target).anchors().contains(parts[1])))
                {
                    complaints.add(page.name() + ": " + link);
                }
            }
        }
        assertTrue(complaints.isEmpty(), complaints::toString);
    }

    @Test
    void shouldNameEachPageInTheIndex()
    {
        final List<Path> named = Page.of(INDEX).links().stream()
            .map(link -> INDEX.resolveSibling(link).normalize())
            .toList();
        for (final Page page : Page.all())
        {
            assertTrue(named.contains(page.path()) || page.path().equals(INDEX), page + " is not in docs/README.md");
        }
    }
}
