package org.onesided.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Serves commands, a line each, until {@code exit} or the end of the input, and answers each with one line:
 * {@code done} and named results, or {@code failed} and why. Standard output is for the answers alone.
 *
 * <pre>
 * load count=1000000 value=100
 * attach count=1000000 value=100
 * measure operation=get seed=1 millis=300 batch=16 keys=1 pause=0
 * </pre>
 */
public final class Worker
{
    private final Subject subject;
    private final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final PrintStream output = System.out;
    private long count;

    private Worker(final Subject subject)
    {
        this.subject = subject;
    }

    /**
     * Serves until the input ends.
     *
     * @param maker of the system to measure, which is closed at the end.
     * @throws Exception if the system cannot be made or closed.
     */
    public static void serve(final Maker maker) throws Exception
    {
        final PrintStream out = System.out;
        System.setOut(System.err);
        try (Subject subject = maker.make())
        {
            System.setOut(out);
            final Worker worker = new Worker(subject);
            System.setOut(System.err);
            worker.run();
        }
    }

    private void run() throws IOException
    {
        output.println("done");
        String line = input.readLine();
        while (line != null && !line.equals("exit"))
        {
            output.println(answer(line));
            line = input.readLine();
        }
    }

    private String answer(final String line)
    {
        try
        {
            final String[] words = line.trim().split(" +");
            final Map<String, Object> results =
                execute(words[0], new Arguments(Arrays.copyOfRange(words, 1, words.length)));
            return "done" + results.entrySet().stream()
                .map((e) -> " " + e.getKey() + "=" + e.getValue()).collect(Collectors.joining());
        }
        catch (final Exception e)
        {
            e.printStackTrace();
            return "failed: " + line + ": " + e;
        }
    }

    private Map<String, Object> execute(final String name, final Arguments arguments) throws Exception
    {
        return switch (name)
        {
            case "load" ->
            {
                count = arguments.number("count");
                final long beginNs = System.nanoTime();
                subject.load(count, (int)arguments.number("value"));
                yield Map.of("seconds", (System.nanoTime() - beginNs) / 1e9);
            }
            case "attach" ->
            {
                count = arguments.number("count");
                yield subject.attach(count, (int)arguments.number("value"));
            }
            case "measure" -> Measurement.of(arguments, count).run(subject);
            default -> subject.command(name, arguments);
        };
    }

    /**
     * Makes a system to measure.
     */
    @FunctionalInterface
    public interface Maker
    {
        /**
         * @return the system.
         * @throws Exception if it cannot be made.
         */
        Subject make() throws Exception;
    }
}
