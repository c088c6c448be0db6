package org.onesided.linearizability.mutation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.onesided.testing.JavaCommand;

/**
 * Plants bugs, one at a time, and runs the store with each: the run must find a violation, or the failure that the
 * mutation names. First it runs the store without a bug, where nothing may be found.
 *
 * <p>In all runs the writer dawdles between its steps, and READs do between their parts ({@value #SLOW_MOTION}): that
 * is no bug, but makes seldom what would otherwise be next to never.
 *
 * <p>Bugs that no run meets, or not soon, are in a folder of their own ({@value #UNIT}): each names a test that must
 * fail with it, and pass without. Those in the folder {@value #KILLS} show when the server is killed: their runs do
 * that, and nobody dawdles. Those in the folder {@value #PLUG} show when its machine loses its power.
 */
public final class Mutations
{
    static final String SLOW_MOTION = "slow-motion";

    static final String FOLDER = "tests/concurrency/src/test/mutations";
    static final String UNIT = "unit";
    static final String KILLS = "kills";
    static final String PLUG = "plug";
    private static final String RUNNER = "org.onesided.linearizability.Runner";
    private static final String PLUG_RUNNER = "org.onesided.powercut.PlugRun";
    private static final long OPERATIONS = 500_000;
    private static final int KILLED = 6;
    private static final int CUT = 10;
    /** After so many it is looked first whether anything is wrong. */
    private static final long FIRST_CHECK = 16_000;
    private static final Pattern ROUND_LINE = Pattern.compile("(?m)^\\w+: ([0-9,]+) operations in ");
    /** How a run ended that is not good, and the first that it found. */
    private static final Pattern FINDING = Pattern.compile("(?m); seed \\d+: (NOT LINEARIZABLE|FAILED)$\\R(.*)");

    private final Path root;
    private final Mutation slowMotion;
    private final boolean isVerbose;

    Mutations(final Path root, final boolean isVerbose) throws IOException
    {
        this.root = root;
        this.isVerbose = isVerbose;
        slowMotion = Mutation.read(root.resolve(FOLDER).resolve(SLOW_MOTION + ".txt"));
    }

    /**
     * @param arguments those that {@code tests/run mutations --help} shows, behind the project's folder.
     * @throws IOException if a mutation does not fit the sources, or a run cannot be made.
     */
    public static void main(final String[] arguments) throws IOException
    {
        int seeds = 3;
        boolean isVerbose = false;
        List<String> only = List.of();
        for (int i = 1; i < arguments.length; i++)
        {
            switch (arguments[i])
            {
                case "--seeds" -> seeds = Integer.parseInt(arguments[++i]);
                case "--only" -> only = Arrays.asList(arguments[++i].split(","));
                case "--verbose" -> isVerbose = true;
                default -> throw new IllegalArgumentException("unknown argument: argument=" + arguments[i]);
            }
        }
        final Mutations mutations = new Mutations(Path.of(arguments[0]), isVerbose);
        final List<Mutation> all = mutations.all();
        final List<Mutation> unit = mutations.unit();
        final List<Mutation> kills = mutations.kills();
        final List<Mutation> plug = mutations.in(PLUG);
        for (final String name : only)
        {
            if (!name.equals(SLOW_MOTION) && Stream.of(all, unit, kills, plug).flatMap(List::stream)
                .noneMatch(m -> m.name().equals(name)))
            {
                throw new IllegalArgumentException("no such mutation: name=" + name);
            }
        }
        boolean isGood = true;
        for (final Mutation mutation : unit)
        {
            if (only.isEmpty() || only.contains(mutation.name()))
            {
                final String failure = mutations.failure(mutation);
                System.out.printf("%s%n    %s  %s%n", mutation.name(),
                    failure.isEmpty() ? "NOT CAUGHT by" : "caught by", mutation.test());
                isGood &= !failure.isEmpty();
            }
        }
        for (final Mutation mutation : kills)
        {
            if (only.isEmpty() || only.contains(mutation.name()))
            {
                isGood &= tell(mutation.name(), mutations.runWithKills(mutation, seeds), true);
            }
        }
        for (final Mutation mutation : plug)
        {
            // They take a virtual machine, and minutes.
            if (only.contains(mutation.name()))
            {
                isGood &= tell(mutation.name(), mutations.runWithCuts(mutation, seeds), true);
            }
        }
        if (only.isEmpty() || only.contains(SLOW_MOTION))
        {
            isGood &= tell("(no bug)", mutations.run(null, seeds), false);
        }
        for (final Mutation mutation : all)
        {
            if (only.isEmpty() || only.contains(mutation.name()))
            {
                isGood &= tell(mutation.name(), mutations.run(mutation, seeds), true);
            }
        }
        System.exit(isGood ? 0 : 1);
    }

    private static boolean tell(final String name, final List<Outcome> outcomes, final boolean isBug)
    {
        System.out.println(name);
        for (final Outcome outcome : outcomes)
        {
            final String word = outcome.isCaught() ? isBug ? "caught" : "UNSOUND" :
                isBug ? "NOT CAUGHT" : outcome.isGood() ? "sound" : "FAILED";
            System.out.printf("    %-12s %,9d operations  %6.1f s  %s%n",
                word, outcome.operations(), outcome.seconds(), outcome.finding());
        }
        return outcomes.stream().allMatch(outcome -> isBug ? outcome.isCaught() : outcome.isGood());
    }

    /** All bugs that runs must find, by their names. */
    List<Mutation> all() throws IOException
    {
        return in("");
    }

    /** All bugs that name a test. */
    List<Mutation> unit() throws IOException
    {
        return in(UNIT);
    }

    /** All bugs that show when the server is killed. */
    List<Mutation> kills() throws IOException
    {
        return in(KILLS);
    }

    List<Mutation> in(final String folder) throws IOException
    {
        final List<Mutation> mutations = new ArrayList<>();
        try (Stream<Path> files = Files.list(root.resolve(FOLDER).resolve(folder)))
        {
            for (final Path file : files.filter(Files::isRegularFile).sorted().toList())
            {
                final Mutation mutation = Mutation.read(file);
                if (!mutation.name().equals(SLOW_MOTION))
                {
                    mutations.add(mutation);
                }
            }
        }
        return mutations;
    }

    /** How the test fails that a mutation names; empty if it passes. */
    String failure(final Mutation mutation) throws IOException
    {
        final String sound = mutation.test().run(root, "");
        if (!sound.isEmpty())
        {
            throw new IOException("test fails without a bug, too: test=" + mutation.test() + " failure=" + sound);
        }
        try (MutatedClasses classes = new MutatedClasses(root, List.of(mutation)))
        {
            final String failure = mutation.test().run(root, classes.classes().toString());
            if (isVerbose)
            {
                System.out.println(failure);
            }
            return failure;
        }
    }

    /**
     * What one run came to.
     *
     * @param isGood   whether nothing was found.
     * @param isCaught whether a violation was found, or what the mutation names.
     * @param finding  the first there is, in a line; empty if there is none.
     */
    record Outcome(boolean isGood, boolean isCaught, long operations, double seconds, String finding)
    {
    }

    /**
     * Runs with each seed.
     *
     * @param mutation to be planted, null for none.
     */
    List<Outcome> run(final Mutation mutation, final int seeds) throws IOException
    {
        return run(
            RUNNER, mutation, mutation == null ? List.of(slowMotion) : List.of(mutation, slowMotion), seeds,
            List.of("--operations", Long.toString(OPERATIONS), "--first-check", Long.toString(FIRST_CHECK)));
    }

    /** Runs with each seed, and kills the server. */
    List<Outcome> runWithKills(final Mutation mutation, final int seeds) throws IOException
    {
        return run(
            RUNNER, mutation, List.of(mutation), seeds,
            List.of("--kills", Integer.toString(KILLED), "--sync", "always"));
    }

    /** Runs with each seed, and pulls the plug of the server's virtual machine, until that shows something. */
    private List<Outcome> runWithCuts(final Mutation mutation, final int seeds) throws IOException
    {
        return run(
            PLUG_RUNNER, mutation, List.of(mutation), seeds,
            List.of("--cuts", Integer.toString(CUT), "--sync", "always"));
    }

    private List<Outcome> run(
        final String runner,
        final Mutation mutation,
        final List<Mutation> planted,
        final int seeds,
        final List<String> arguments) throws IOException
    {
        final List<Outcome> outcomes = new ArrayList<>();
        try (MutatedClasses classes = new MutatedClasses(root, planted))
        {
            for (int seed = 1; seed <= seeds; seed++)
            {
                final List<String> all = new ArrayList<>(arguments);
                all.addAll(List.of("--seed", Long.toString(1000L * seed)));
                outcomes.add(runWith(runner, classes, all, mutation == null ? null : mutation.failure()));
            }
        }
        return outcomes;
    }

    private Outcome runWith(
        final String runner, final MutatedClasses classes, final List<String> arguments, final String wanted)
        throws IOException
    {
        final long startNs = System.nanoTime();
        final Path output = Files.createTempFile("mutation", ".log");
        try
        {
            final Process process = new ProcessBuilder(JavaCommand.of(
                runner, classes.classes().toString(), arguments))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
            final int exitCode = process.waitFor();
            final String text = Files.readString(output, StandardCharsets.UTF_8);
            final Matcher finding = FINDING.matcher(text);
            final boolean isFound = finding.find();
            // A client that fails by an error of the test's own would pass for one that found something.
            if (exitCode != 0 && !isFound || text.contains("CRASH"))
            {
                throw new IOException("run failed without a finding: exitCode=" + exitCode + "\n" + text);
            }
            final Matcher rounds = ROUND_LINE.matcher(text);
            long operations = 0;
            while (rounds.find())
            {
                operations += Long.parseLong(rounds.group(1).replace(",", ""));
            }
            final boolean isCaught = isFound && (finding.group(1).equals("NOT LINEARIZABLE") ||
                wanted != null && text.indexOf(wanted, finding.start()) >= 0);
            if (isVerbose || isFound && !isCaught)
            {
                // A failure that the bug does not explain may never come again.
                System.out.println(text);
            }
            return new Outcome(
                exitCode == 0, isCaught, operations, (System.nanoTime() - startNs) / 1e9,
                isFound ? finding.group(2) : "");
        }
        catch (final InterruptedException e)
        {
            throw new IOException(e);
        }
        finally
        {
            Files.delete(output);
        }
    }
}
