package org.onesided.chaos;

import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * How often which fault happens: once in so many requests, 0 for never. What happens to a request depends on the seed,
 * the number of its queue pair in its context, and the request's number there, never on time. The text form is a part
 * of a device's name, {@code SEED[/calm][/NAME=NUMBER]...}: {@code 42}, {@code 42/lose=0}, {@code 42/calm/split=1}.
 *
 * @param seed     of all chance.
 * @param split    READs fetched line by line (64 bytes) or word by word (8 bytes), in random order.
 * @param replay   split READs fetched twice, each line or word as it was then or now.
 * @param stall    pauses before a line or word is fetched.
 * @param overtake requests that need not wait until the READs before them are fetched.
 * @param late     completions of sends that come late.
 * @param rnr      receives posted late, so that a sender may find none.
 * @param slow     messages that arrive late.
 * @param lose     lost queue pairs: a request fails before, while or after it is carried out, or what has arrived is
 *                 the last that does.
 * @param stallUs  longest pause before a line or word, delay of a completion, or delay of a posted receive, in
 *                 microseconds.
 * @param slowUs   longest delay of a message, in microseconds.
 */
record FaultPlan(
    long seed,
    int split,
    int replay,
    int stall,
    int overtake,
    int late,
    int rnr,
    int slow,
    int lose,
    int stallUs,
    int slowUs)
{
    static final String SYNTAX = "SEED[/calm][/NAME=NUMBER]...";

    private static final int MAX_US = 10_000_000;

    static FaultPlan parse(final String text)
    {
        final String[] fields = text.split("/", -1);
        FaultPlan plan = stormy(number(text, fields[0], Long.MIN_VALUE, Long.MAX_VALUE));
        for (int i = 1; i < fields.length; i++)
        {
            final int equals = fields[i].indexOf('=');
            if (fields[i].equals("calm"))
            {
                plan = calm(plan.seed);
            }
            else if (equals < 0)
            {
                throw new VerbsException("get_device_list", Errno.ENODEV,
                    "no such fault, write " + SYNTAX + ": fault=" + fields[i]);
            }
            else
            {
                plan = plan.with(fields[i].substring(0, equals),
                    (int)number(text, fields[i].substring(equals + 1), 0, Integer.MAX_VALUE));
            }
        }
        return plan;
    }

    /** All faults, in such numbers that a store gets on. */
    private static FaultPlan stormy(final long seed)
    {
        return new FaultPlan(seed, 1, 8, 16, 4, 16, 32, 256, 20_000, 50, 500);
    }

    /** None. */
    private static FaultPlan calm(final long seed)
    {
        return new FaultPlan(seed, 0, 0, 0, 0, 0, 0, 0, 0, 50, 500);
    }

    private FaultPlan with(final String name, final int n)
    {
        return switch (name)
        {
            case "split" -> new FaultPlan(seed, n, replay, stall, overtake, late, rnr, slow, lose, stallUs, slowUs);
            case "replay" -> new FaultPlan(seed, split, n, stall, overtake, late, rnr, slow, lose, stallUs, slowUs);
            case "stall" -> new FaultPlan(seed, split, replay, n, overtake, late, rnr, slow, lose, stallUs, slowUs);
            case "overtake" -> new FaultPlan(seed, split, replay, stall, n, late, rnr, slow, lose, stallUs, slowUs);
            case "late" -> new FaultPlan(seed, split, replay, stall, overtake, n, rnr, slow, lose, stallUs, slowUs);
            case "rnr" -> new FaultPlan(seed, split, replay, stall, overtake, late, n, slow, lose, stallUs, slowUs);
            case "slow" -> new FaultPlan(seed, split, replay, stall, overtake, late, rnr, n, lose, stallUs, slowUs);
            case "lose" -> new FaultPlan(seed, split, replay, stall, overtake, late, rnr, slow, n, stallUs, slowUs);
            case "stallUs" ->
                new FaultPlan(seed, split, replay, stall, overtake, late, rnr, slow, lose, time(n), slowUs);
            case "slowUs" ->
                new FaultPlan(seed, split, replay, stall, overtake, late, rnr, slow, lose, stallUs, time(n));
            default -> throw new VerbsException("get_device_list", Errno.ENODEV,
                "no such fault, there are split, replay, stall, overtake, late, rnr, slow, lose, stallUs, slowUs: " +
                    "fault=" + name);
        };
    }

    private static int time(final int us)
    {
        return (int)number("time", Integer.toString(us), 1, MAX_US);
    }

    private static long number(final String text, final String field, final long least, final long most)
    {
        try
        {
            final long number = Long.parseLong(field);
            if (number >= least && number <= most)
            {
                return number;
            }
        }
        catch (final NumberFormatException e)
        {
            // Said below.
        }
        throw new VerbsException("get_device_list", Errno.ENODEV,
            "not a number from " + least + " to " + most + ", write " + SYNTAX + ": field=" + field + " in=" + text);
    }
}
