package org.onesided.benchmark.peers;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * This build beside that of another commit: both run at the same time and take turns, so that whatever else the machine
 * does disturbs both alike. Each round has processes of its own, and the other build starts first in each second one: a
 * process keeps to the end what it was compiled to and where its memory lies, so turns of the same processes differ by
 * more than builds do, always in the same direction.
 */
final class Against
{
    private static final String THIS = "this";
    private static final String OTHER = "other";
    private static final int TURNS = 3;
    /** Longer by less counts as equal. */
    private static final double TOLERANCE = 0.03;
    private static final String TCP = "tcp: ";
    private static final String GET = "operation=get batch=16";
    private static final String GET_ALL = "operation=getAll keys=64 batch=1";
    private static final String PUT = "operation=put batch=16";
    /** What the workers are told to do. */
    private static final Map<String, String> COMMANDS = Map.of(
        "GET", GET,
        "getAll of 64 keys, per key", GET_ALL,
        "PUT", PUT,
        "PUT after a pause of 1 ms", "operation=put batch=1 pause=1000",
        TCP + "GET", GET,
        TCP + "getAll of 64 keys, per key", GET_ALL,
        TCP + "PUT", PUT);
    /** What can be measured. */
    static final List<String> TITLES = COMMANDS.keySet().stream().sorted().toList();

    private static final String OWN_CLASS_PATH = System.getProperty("java.class.path");

    private final Supplier<Lab> labs;
    private final Settings settings;
    private final String commit;
    private final String classPath;
    private final Map<String, Series> here = new LinkedHashMap<>();
    private final Map<String, Series> there = new LinkedHashMap<>();

    /**
     * @param labs      a lab for each round.
     * @param commit    of the other build, for the table.
     * @param classPath of the other build's tests.
     */
    Against(final Supplier<Lab> labs, final Settings settings, final String commit, final String classPath)
    {
        this.labs = labs;
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
        for (final String title : TITLES)
        {
            if (settings.wants(title))
            {
                here.put(title, new Series(title, "ns"));
                there.put(title, new Series(title, "ns"));
            }
        }
        for (int round = 0; round < settings.rounds(); round++)
        {
            try (Lab lab = labs.get())
            {
                round(lab, round);
            }
        }
        System.out.println("| operation | this | " + commit + " | ratio | 95 % confidence | |");
        System.out.println("|---|---|---|---|---|---|");
        boolean isGood = true;
        for (final String title : here.keySet())
        {
            isGood &= print(here.get(title), there.get(title));
        }
        return isGood;
    }

    private void round(final Lab lab, final int round) throws IOException
    {
        final boolean isThisFirst = round % 2 == 0;
        final Workers first = new Workers(lab, isThisFirst ? OWN_CLASS_PATH : classPath);
        final Workers second = new Workers(lab, isThisFirst ? classPath : OWN_CLASS_PATH);
        final Workers own = isThisFirst ? first : second;
        final Workers other = isThisFirst ? second : first;
        final Map<String, Contest> contests = new LinkedHashMap<>();
        for (final String title : here.keySet())
        {
            contests.put(title, new Contest(title, COMMANDS.get(title), settings.millis(), true)
                .with(THIS, own.of(title)).with(OTHER, other.of(title)));
        }
        for (final Contest contest : contests.values())
        {
            contest.warmUp(settings.warmUpMillis());
        }
        for (int turn = 0; turn < TURNS; turn++)
        {
            for (final Contest contest : contests.values())
            {
                contest.round(TURNS * round + turn);
            }
        }
        contests.forEach((title, contest) ->
        {
            here.get(title).add(contest.of(THIS).spread().median());
            there.get(title).add(contest.of(OTHER).spread().median());
        });
    }

    /** Whether the ratio may be 1.03 or less. */
    private static boolean print(final Series here, final Series there)
    {
        final Spread ratio = Spread.confidence(here.ratios(there));
        final boolean isLonger = ratio.least() > 1 + TOLERANCE;
        System.out.printf(Locale.ROOT, "| %s | %.0f ns | %.0f ns | %.3f | %.3f to %.3f | %s |%n",
            here.name(), here.spread().median(), there.spread().median(),
            ratio.median(), ratio.least(), ratio.most(),
            isLonger ? "longer" : ratio.most() < 1 - TOLERANCE ? "shorter" : "equal, or cannot be told apart");
        return !isLonger;
    }

    /** A build's servers, and a client of each, with the defaults of users. */
    private final class Workers
    {
        private final Lab lab;
        private final WorkerProcess shm;
        private final WorkerProcess tcp;

        Workers(final Lab lab, final String path) throws IOException
        {
            this.lab = lab;
            shm = here.keySet().stream().allMatch(Against::isTcp) ? null : worker(path, "shm", "shm");
            tcp = here.keySet().stream().noneMatch(Against::isTcp) ? null : worker(path, "tcp", "tcp:127.0.0.1:0");
        }

        WorkerProcess of(final String title)
        {
            return isTcp(title) ? tcp : shm;
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

    private static boolean isTcp(final String title)
    {
        return title.startsWith(TCP);
    }
}
