package org.onesided.linearizability.mutation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.onesided.endtoend.JavaCommand;

/**
 * Plants bugs, one at a time, and runs the store with each: the run must find something wrong. First it runs the store
 * without a bug, where nothing may be found.
 *
 * <p>In all runs the writer dawdles between its steps, and READs do between their parts ({@value #SLOW_MOTION}): that
 * is no bug, but makes seldom what would otherwise be next to never.
 */
public final class Mutations
{
    static final String SLOW_MOTION = "slow-motion";

    private static final String FOLDER = "tests/src/test/mutations";
    private static final String RUNNER = "org.onesided.linearizability.Runner";
    /** Operations of a run; where it finds nothing, of the next. */
    private static final long[] OPERATIONS = {50_000, 450_000};
    private static final long CONTROL_OPERATIONS = 500_000;

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
     * @param arguments those that {@code tests/mutations --help} shows, behind the project's folder.
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
        for (final String name : only)
        {
            if (!name.equals(SLOW_MOTION) && all.stream().noneMatch(m -> m.name().equals(name)))
            {
                throw new IllegalArgumentException("no such mutation: name=" + name);
            }
        }
        boolean isGood = true;
        if (only.isEmpty() || only.contains(SLOW_MOTION))
        {
            final boolean isSound = mutations.isSound(1);
            System.out.printf("%-36s %s%n", "(no bug)", isSound ? "nothing found" : "SOMETHING FOUND");
            isGood = isSound;
        }
        for (final Mutation mutation : all)
        {
            if (only.isEmpty() || only.contains(mutation.name()))
            {
                final StringBuilder result = new StringBuilder();
                int caught = 0;
                for (int seed = 1; seed <= seeds; seed++)
                {
                    final long after = mutations.caughtAfter(mutation, seed);
                    caught += after > 0 ? 1 : 0;
                    result.append(after > 0 ? String.format("  within %,d", after) : "  NOT");
                }
                System.out.printf("%-36s caught by %d of %d seeds:%s%n", mutation.name(), caught, seeds, result);
                isGood &= caught == seeds;
            }
        }
        System.exit(isGood ? 0 : 1);
    }

    /** All bugs, by their names. */
    List<Mutation> all() throws IOException
    {
        final List<Mutation> mutations = new ArrayList<>();
        try (Stream<Path> files = Files.list(root.resolve(FOLDER)))
        {
            for (final Path file : files.sorted().toList())
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

    /** Whether nothing is found where there is no bug. */
    boolean isSound(final long seed) throws IOException
    {
        try (MutatedClasses classes = new MutatedClasses(root, List.of(slowMotion)))
        {
            return isGood(classes, CONTROL_OPERATIONS, seed);
        }
    }

    /** Within how many operations a bug was found; -1 for not at all. */
    long caughtAfter(final Mutation mutation, final long seed) throws IOException
    {
        try (MutatedClasses classes = new MutatedClasses(root, List.of(mutation, slowMotion)))
        {
            long total = 0;
            for (int i = 0; i < OPERATIONS.length; i++)
            {
                total += OPERATIONS[i];
                if (!isGood(classes, OPERATIONS[i], seed + 1000L * i))
                {
                    return total;
                }
            }
            return -1;
        }
    }

    private boolean isGood(final MutatedClasses classes, final long operations, final long seed) throws IOException
    {
        final Path output = Files.createTempFile("mutation", ".log");
        try
        {
            final Process process = new ProcessBuilder(JavaCommand.of(
                RUNNER, classes.classes().toString(),
                List.of("--operations", Long.toString(operations), "--seed", Long.toString(seed))))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
            final int exitCode = process.waitFor();
            final String text = Files.readString(output, StandardCharsets.UTF_8);
            if (isVerbose)
            {
                System.out.println(text);
            }
            if (exitCode != 0 && !text.contains("NOT LINEARIZABLE"))
            {
                throw new IOException("run failed without a finding: exitCode=" + exitCode + "\n" + text);
            }
            return exitCode == 0;
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
