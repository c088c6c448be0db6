package org.onesided.benchmark.peers;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * This build beside that of another commit: both run at the same time and take turns, so that whatever else the machine
 * does disturbs both alike.
 */
final class Against
{
    private static final String THIS = "this";
    private static final String OTHER = "other";
    /** Longer by less counts as equal. */
    private static final double TOLERANCE = 0.03;
    private static final String GET = "GET";
    private static final String GET_ALL = "getAll of 64 keys, per key";
    private static final String PUT = "PUT";
    private static final String PAUSED_PUT = "PUT after a pause of 1 ms";
    private static final String TCP_GET = "tcp: GET";
    private static final String TCP_PUT = "tcp: PUT";
    private static final String TCP_GET_ALL = "tcp: getAll of 64 keys, per key";
    /** What can be measured. */
    static final List<String> TITLES = List.of(GET, GET_ALL, PUT, PAUSED_PUT, TCP_GET, TCP_PUT, TCP_GET_ALL);

    private final Lab lab;
    private final Settings settings;
    private final String commit;
    private final String classPath;

    /**
     * @param commit    of the other build, for the table.
     * @param classPath of the other build's tests.
     */
    Against(final Lab lab, final Settings settings, final String commit, final String classPath)
    {
        this.lab = lab;
        this.settings = settings;
        this.commit = commit;
        this.classPath = classPath;
    }

    /**
     * Measures and prints.
     *
     * @return whether no operation takes longer for certain.
     */
    boolean run() throws IOException
    {
        final String own = System.getProperty("java.class.path");
        final Workers here = new Workers(own);
        final Workers there = new Workers(classPath);
        final List<Contest> contests = List.of(
            contest(GET, "operation=get batch=16", here.shm, there.shm),
            contest(GET_ALL, "operation=getAll keys=64 batch=1", here.shm, there.shm),
            contest(PUT, "operation=put batch=16", here.shm, there.shm),
            contest(PAUSED_PUT, "operation=put batch=1 pause=1000", here.shm, there.shm),
            contest(TCP_GET, "operation=get batch=16", here.tcp, there.tcp),
            contest(TCP_PUT, "operation=put batch=16", here.tcp, there.tcp),
            contest(TCP_GET_ALL, "operation=getAll keys=64 batch=1", here.tcp, there.tcp));
        for (final Contest contest : contests)
        {
            contest.warmUp(settings.warmUpMillis());
        }
        for (int round = 0; round < settings.rounds(); round++)
        {
            for (final Contest contest : contests)
            {
                contest.round(round);
            }
        }
        System.out.println("| operation | this | " + commit + " | ratio | 95 % confidence | |");
        System.out.println("|---|---|---|---|---|---|");
        boolean isGood = true;
        for (final Contest contest : contests)
        {
            isGood &= contest.results().isEmpty() || print(contest);
        }
        return isGood;
    }

    private Contest contest(
        final String title, final String command, final WorkerProcess here, final WorkerProcess there)
    {
        return new Contest(title, command, settings.millis(), settings.wants(title))
            .with(THIS, here).with(OTHER, there);
    }

    /** Whether the ratio may be 1.03 or less. */
    private static boolean print(final Contest contest)
    {
        final Series here = contest.of(THIS);
        final Series there = contest.of(OTHER);
        final Spread ratio = Spread.confidence(here.ratios(there));
        final boolean isLonger = ratio.least() > 1 + TOLERANCE;
        System.out.printf(Locale.ROOT, "| %s | %.0f ns | %.0f ns | %.3f | %.3f to %.3f | %s |%n",
            here.name().substring(0, here.name().lastIndexOf(':')), here.spread().median(), there.spread().median(),
            ratio.median(), ratio.least(), ratio.most(),
            isLonger ? "longer" : ratio.most() < 1 - TOLERANCE ? "shorter" : "equal, or cannot be told apart");
        return !isLonger;
    }

    /** A build's servers, and a client of each, with the defaults of users. */
    private final class Workers
    {
        private final WorkerProcess shm;
        private final WorkerProcess tcp;

        Workers(final String classPath) throws IOException
        {
            shm = worker(classPath, "shm", "shm");
            tcp = worker(classPath, "tcp", "tcp:127.0.0.1:0");
        }

        private WorkerProcess worker(final String path, final String device, final String served) throws IOException
        {
            final String address = lab.server(path, Systems.arguments(
                settings.records(), Settings.VALUE_LENGTH, "--device", served)).address();
            final WorkerProcess worker = lab.own(
                path, StoreSubject.class.getName(), "server=" + address, "device=" + device, "waiting=default");
            worker.tell(Systems.load(settings.records(), Settings.VALUE_LENGTH));
            return worker;
        }
    }
}
