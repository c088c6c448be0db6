package org.onesided.linearizability;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Runs as many operations as wanted, in rounds, and says whether all were linearizable.
 */
public final class Runner
{
    private static final long ROUND = 2_000_000;
    private static final long LONG = 100;
    private static final int KILL_ROUND = 20;
    private static final int PLUG_ROUND = 10;
    private static final int CLIENTS = 8;
    private static final int CLUSTER_CLIENTS = 4;
    /** Of a round of a cluster. */
    private static final int HARMS = 10;

    private Runner()
    {
    }

    /**
     * @param arguments those that {@code tests/run linearizability --help} shows.
     * @throws IOException if a process or file cannot be had.
     */
    public static void main(final String[] arguments) throws IOException
    {
        String devices = "shm";
        long operations = ROUND;
        long seed = System.nanoTime() & 0xFFFF_FFFFL;
        long firstCheck = ROUND;
        boolean isLong = false;
        boolean isEvicting = false;
        Path summary = null;
        int kills = 0;
        boolean isPlug = false;
        String sync = "always,interval";
        int members = 0;
        int harms = HARMS;
        for (int i = 0; i < arguments.length; i++)
        {
            switch (arguments[i])
            {
                case "--device" -> devices = arguments[++i];
                case "--operations" -> operations = Long.parseLong(arguments[++i]);
                case "--seed" -> seed = Long.parseLong(arguments[++i]);
                case "--first-check" -> firstCheck = Long.parseLong(arguments[++i]);
                case "--summary" -> summary = Path.of(arguments[++i]);
                case "--long" -> isLong = true;
                case "--evict" -> isEvicting = true;
                case "--kills" -> kills = Integer.parseInt(arguments[++i]);
                case "--plug" -> isPlug = true;
                case "--cluster" -> members = Integer.parseInt(arguments[++i]);
                case "--harms" -> harms = Integer.parseInt(arguments[++i]);
                case "--sync" -> sync = arguments[++i];
                default -> throw new IllegalArgumentException("unknown argument: argument=" + arguments[i]);
            }
        }
        if (members > 0)
        {
            System.exit(isGoodAsCluster(devices.split(","), members, harms, operations, seed) ? 0 : 1);
        }
        if (isPlug)
        {
            System.exit(isGoodWithoutPower(kills, seed) ? 0 : 1);
        }
        if (kills > 0)
        {
            System.exit(isGoodWithKills(devices.split(","), sync.split(","), kills, seed, isEvicting) ? 0 : 1);
        }
        boolean isGood = true;
        for (final String device : devices.split(","))
        {
            final Summary sum = new Summary(device);
            long left = operations * (isLong ? LONG : 1);
            for (long round = 0; left > 0; round++)
            {
                final RunSettings settings =
                    RunSettings.of(device, Math.min(left, ROUND), seed + round).checkedFrom(firstCheck);
                final RunResult result = Run.of(isEvicting ? settings.evicting() : settings);
                System.out.println(result.text());
                sum.add(result);
                isGood &= result.isGood();
                left -= result.isGood() ? result.operations() : left;
            }
            if (summary != null)
            {
                sum.append(summary);
            }
        }
        System.exit(isGood ? 0 : 1);
    }

    /** Does harm to clusters, on each device, in rounds, until there are enough operations. */
    private static boolean isGoodAsCluster(
        final String[] devices, final int members, final int harms, final long operations, final long seed)
        throws IOException
    {
        boolean isGood = true;
        for (final String device : devices)
        {
            long left = operations;
            for (int round = 0; left > 0; round++)
            {
                final ClusterRun.Result result = ClusterRun.of(new ClusterRun.Settings(
                    device, members, harms, Nemesis.MOST_PAUSE_MS, 0, seed + round, CLUSTER_CLIENTS, 2));
                System.out.println(result.text());
                isGood &= result.isGood();
                left -= result.isGood() ? result.operations() : left;
            }
        }
        return isGood;
    }

    /** Pulls the plug of a virtual machine, in rounds that leave logs short. */
    private static boolean isGoodWithoutPower(final int cuts, final long seed) throws IOException
    {
        boolean isGood = true;
        for (int done = 0; done < cuts; done += PLUG_ROUND)
        {
            final KillResult result = KillRun.of(KillSettings.plugged(Math.min(PLUG_ROUND, cuts - done), seed + done));
            System.out.println(result.text());
            isGood &= result.isGood();
        }
        return isGood;
    }

    /** Kills servers, on each device and with each way to write the log, in rounds that leave logs short. */
    private static boolean isGoodWithKills(
        final String[] devices, final String[] syncs, final int kills, final long seed, final boolean isEvicting)
        throws IOException
    {
        boolean isGood = true;
        for (final String device : devices)
        {
            for (final String sync : syncs)
            {
                for (int done = 0; done < kills; done += KILL_ROUND)
                {
                    final KillSettings settings = new KillSettings(
                        device, sync, Math.min(KILL_ROUND, kills - done), seed + done, CLIENTS, 1);
                    final KillResult result = KillRun.of(isEvicting ? settings.evicting() : settings);
                    System.out.println(result.text());
                    isGood &= result.isGood();
                }
            }
        }
        return isGood;
    }
}
