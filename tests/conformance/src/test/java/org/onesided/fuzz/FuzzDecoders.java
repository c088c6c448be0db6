package org.onesided.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.onesided.testing.HangGuard;

/**
 * Fuzzes the decoders; what {@code tests/run fuzz-decoders} runs.
 */
public final class FuzzDecoders
{
    private static final long LONGEST_S = 30;

    private FuzzDecoders()
    {
    }

    /**
     * @param arguments {@code --only NAMES}, {@code --seconds N} for each, {@code --seed N}, {@code --from N}: number
     *                  of the first input, {@code --inputs N} for each, {@code --file PATH}: an input to feed instead,
     *                  {@code --write FOLDER}: where to put what the targets begin with.
     * @throws Exception if a decoder does what it should not.
     */
    public static void main(final String[] arguments) throws Exception
    {
        List<FuzzTarget> targets = targets();
        double seconds = 60;
        long seed = System.nanoTime();
        long from = 0;
        long inputs = Long.MAX_VALUE;
        Path file = null;
        Path folder = null;
        for (int i = 0; i + 1 < arguments.length; i += 2)
        {
            final String value = arguments[i + 1];
            switch (arguments[i])
            {
                case "--only" -> targets = named(targets, value);
                case "--seconds" -> seconds = Double.parseDouble(value);
                case "--seed" -> seed = Long.parseLong(value);
                case "--from" -> from = Long.parseLong(value);
                case "--inputs" -> inputs = Long.parseLong(value);
                case "--file" -> file = Path.of(value);
                case "--write" -> folder = Path.of(value);
                default -> throw new IllegalArgumentException("no such option: option=" + arguments[i]);
            }
        }
        for (final FuzzTarget target : targets)
        {
            try (target)
            {
                if (folder != null)
                {
                    write(target, folder.resolve(target.name()));
                }
                else if (file != null)
                {
                    target.feed(Files.readAllBytes(file));
                }
                else
                {
                    System.out.println(run(target, seconds, seed, from, inputs));
                }
            }
        }
    }

    /** All there are, in the order of their names. */
    static List<FuzzTarget> targets()
    {
        return ServiceLoader.load(FuzzTarget.class).stream().map(ServiceLoader.Provider::get)
            .sorted(Comparator.comparing(FuzzTarget::name)).toList();
    }

    private static List<FuzzTarget> named(final List<FuzzTarget> targets, final String names)
    {
        return Arrays.stream(names.split(",")).map((name) -> targets.stream()
            .filter((target) -> target.name().equals(name)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no such decoder: name=" + name + " there are: " +
                targets.stream().map(FuzzTarget::name).toList()))).toList();
    }

    /**
     * Fuzzes a target, and ends this process if it hangs.
     *
     * @return what was done.
     */
    static String run(
        final FuzzTarget target, final double seconds, final long seed, final long from, final long inputs)
        throws Exception
    {
        final FuzzLoop loop = new FuzzLoop(target, seed);
        final Thread watchdog = new Thread(() -> watch(loop), "fuzz-watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
        try
        {
            loop.run(seconds, from, inputs);
        }
        finally
        {
            watchdog.interrupt();
            watchdog.join();
        }
        return loop.toString();
    }

    private static void watch(final FuzzLoop loop)
    {
        try
        {
            while (true)
            {
                TimeUnit.SECONDS.sleep(1);
                final String stuck = loop.stuck(HangGuard.nanos(LONGEST_S));
                if (stuck != null)
                {
                    // Nothing else ends a thread that computes for ever.
                    System.err.println(stuck);
                    Runtime.getRuntime().halt(1);
                }
            }
        }
        catch (final InterruptedException e)
        {
            // The loop is over.
        }
    }

    private static void write(final FuzzTarget target, final Path folder) throws IOException
    {
        Files.createDirectories(folder);
        int number = 0;
        for (final byte[] seed : target.seeds())
        {
            Files.write(folder.resolve(String.format("seed-%02d", number++)), seed);
        }
    }
}
