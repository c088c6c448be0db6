package org.onesided.tools.kvctl.load;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.onesided.tools.kvctl.command.Candidates;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.load.run.RunPlan;
import org.onesided.tools.load.workload.CoreWorkloads;
import org.onesided.tools.load.workload.WorkloadProperties;
import org.onesided.tools.load.workload.WorkloadSetting;
import org.onesided.tools.settings.TimeSpan;
import picocli.CommandLine.Option;

/**
 * The options of {@code kvctl load} that describe the run. Options override {@code -p}, {@code -p} overrides files, and
 * files override the workload's letter.
 */
final class WorkloadOptions
{
    private static final String OPERATIONS = WorkloadSetting.OPERATIONS.property();
    private static final String LETTERS = "a|b|c|d|f";
    private static final String USUAL_LETTER = "b";
    private static final int USUAL_CLIENTS = 1;

    @Option(
        names = {"-w", "--workload"},
        paramLabel = LETTERS,
        completionCandidates = WorkloadOptions.Workloads.class,
        description = "One of YCSB's: a updates half, b 5 %%, c none, d inserts 5 %% and reads the latest, f half " +
            "read-modify-write. Default " + USUAL_LETTER + ", unless -P or -p say more.")
    private String letter;

    @Option(
        names = "-P",
        paramLabel = "FILE",
        description = "File of YCSB's properties; may be given more than once.")
    private List<Path> files = new ArrayList<>();

    @Option(
        names = "-p",
        paramLabel = "NAME=VALUE",
        description = "One of YCSB's properties, such as -p fieldlength=50.")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Option(
        names = "--phase",
        paramLabel = "load|run|both",
        description = "load puts the records, run works on them; default ${DEFAULT-VALUE}.")
    private RunPlan.Phases phases = RunPlan.Phases.BOTH;

    @Option(
        names = "--clients",
        paramLabel = "N",
        description = "Client processes; default " + USUAL_CLIENTS + ". Their histograms are merged exactly.")
    private int clients = USUAL_CLIENTS;

    @Option(
        names = "--warm-up",
        paramLabel = "TIME",
        converter = TimeSpan.class,
        description = "Time of the run phase before the measurement begins; default none.")
    private Duration warmUp = Duration.ZERO;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the random numbers; default a random one.")
    private Long seed;

    private List<String> withoutEffect = List.of();

    /**
     * @param numbers of the workload.
     * @return the run that the options describe.
     * @throws IllegalArgumentException if there can be no such run; the message names options as they were typed.
     */
    RunPlan plan(final PropertyOptions numbers)
    {
        requirePositive(numbers, WorkloadSetting.OPERATIONS);
        requirePositive(numbers, WorkloadSetting.TARGET);
        try
        {
            return read(numbers);
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException(inOptions(numbers.inOptions(e.getMessage())), e);
        }
    }

    private RunPlan read(final PropertyOptions numbers)
    {
        final Map<String, String> all = new LinkedHashMap<>();
        final String name = addWorkload(all);
        final boolean isCounted =
            numbers.given(WorkloadSetting.OPERATIONS) != null || properties.containsKey(OPERATIONS);
        numbers.addTo(all);
        final Duration duration = numbers.given(WorkloadSetting.DURATION);
        if (duration != null && !isCounted)
        {
            // A duration overrides the number in a file.
            all.remove(OPERATIONS);
        }
        final WorkloadProperties ycsb = new WorkloadProperties(all);
        final RunPlan plan = new RunPlan(
            ycsb.workload(name),
            phases,
            ycsb.threads(),
            clients,
            ycsb.target(),
            duration != null ? duration.toNanos() : durationNs(ycsb, all.getOrDefault(OPERATIONS, "0")),
            warmUp.toNanos(),
            verification(ycsb, numbers.given(WorkloadSetting.VERIFICATION)),
            seed == null ? new SplittableRandom().nextLong() : seed);
        requireReadModifyWrites(numbers, plan);
        withoutEffect = ycsb.unused();
        return plan;
    }

    /**
     * @return names of properties that {@link #plan} did not use.
     */
    List<String> withoutEffect()
    {
        return withoutEffect;
    }

    private String addWorkload(final Map<String, String> all)
    {
        final boolean isUsual = letter == null && files.isEmpty() &&
            properties.keySet().stream().noneMatch(property -> property.endsWith("proportion"));
        String name = "custom";
        if (letter != null || isUsual)
        {
            name = isUsual ? USUAL_LETTER : letter.toLowerCase(Locale.ROOT);
            all.putAll(CoreWorkloads.properties(name));
        }
        for (final Path file : files)
        {
            final Properties loaded = new Properties();
            try (Reader reader = Files.newBufferedReader(file))
            {
                loaded.load(reader);
            }
            catch (final IOException e)
            {
                throw FileMessages.cannotRead(file, e);
            }
            catch (final IllegalArgumentException e)
            {
                throw new CommandException(
                    ExitCode.USAGE, file + ": not a file of properties: " + e.getMessage(), e);
            }
            loaded.stringPropertyNames().forEach(property -> all.put(property, loaded.getProperty(property)));
            name = letter != null ? name : file.getFileName().toString();
        }
        all.putAll(properties);
        return letter == null || isOf(letter, all) ? name : name + ", changed by properties";
    }

    /** Whether the properties are still those of the workload's letter. */
    private static boolean isOf(final String letter, final Map<String, String> all)
    {
        final Map<String, String> properties = CoreWorkloads.properties(letter.toLowerCase(Locale.ROOT));
        return properties.entrySet().stream().allMatch(one ->
            one.getValue().equals(all.get(one.getKey()).trim()));
    }

    private static long durationNs(final WorkloadProperties ycsb, final String operationCount)
    {
        final Duration longest = Duration.ofSeconds(Math.min(ycsb.longestSeconds(), Integer.MAX_VALUE));
        final long usualNs = TimeUnit.SECONDS.toNanos(WorkloadSetting.DURATION.byDefault());
        return longest.isZero() && "0".equals(operationCount.trim()) ? usualNs : longest.toNanos();
    }

    private static RunPlan.Verify verification(final WorkloadProperties ycsb, final Boolean isVerified)
    {
        final boolean isAsked = ycsb.isIntegrityAsked();
        if (isVerified == null)
        {
            return isAsked ? RunPlan.Verify.ON : RunPlan.Verify.AUTO;
        }
        return isVerified ? RunPlan.Verify.ON : RunPlan.Verify.OFF;
    }

    /** As a property, 0 is no limit; typed as an option, it is probably a mistake. */
    private static void requirePositive(final PropertyOptions numbers, final WorkloadSetting setting)
    {
        final Number value = numbers.given(setting);
        if (value != null && !(value.doubleValue() > 0))
        {
            throw new IllegalArgumentException(setting.option() + " must be above 0, leave it out for " +
                setting.defaultText() + ": " + setting.option() + '=' + value);
        }
    }

    /** As a property, it may be of several workloads; typed as an option, it has to have an effect. */
    private static void requireReadModifyWrites(final PropertyOptions numbers, final RunPlan plan)
    {
        final String kind = numbers.given(WorkloadSetting.READ_MODIFY_WRITE);
        if (kind != null && plan.workload().mix().readModifyWrite() == 0)
        {
            throw new IllegalArgumentException("the workload has no read-modify-writes, choose f or leave " +
                WorkloadSetting.READ_MODIFY_WRITE.option() + " out: workload=" + plan.workload().name());
        }
    }

    /** A message with options in place of names, as far as {@link PropertyOptions} does not know them. */
    private String inOptions(final String message)
    {
        return clients == 1 ? message : message.replaceAll("\\bclients=", "--clients=");
    }

    /** Values of {@code --workload}. */
    static final class Workloads extends Candidates
    {
        private static final long serialVersionUID = 1L;

        Workloads()
        {
            super(LETTERS.split("\\|"));
        }
    }
}
