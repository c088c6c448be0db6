package org.onesided.tools.kvctl;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.onesided.tools.load.workload.Distribution;

/**
 * Words that completion offers as values of an option; picocli wants a class for each list.
 */
abstract class Candidates extends ArrayList<String>
{
    private static final long serialVersionUID = 1L;

    Candidates(final List<String> words)
    {
        super(words);
    }

    /** Of {@code --device}: kinds, since their devices are not known where completion runs. */
    static final class Devices extends Candidates
    {
        private static final long serialVersionUID = 1L;

        Devices()
        {
            super(List.of("auto", "shm", "ibv", "ibv:", "tcp"));
        }
    }

    /** Of {@code kvctl load --distribution}. */
    static final class Distributions extends Candidates
    {
        private static final long serialVersionUID = 1L;

        Distributions()
        {
            super(Stream.of(Distribution.values()).map(Distribution::label).toList());
        }
    }

    /** Of {@code --format}. */
    static final class Formats extends Candidates
    {
        private static final long serialVersionUID = 1L;

        Formats()
        {
            super(List.of("tsv", "jsonl"));
        }
    }

    /** Of {@code --output}. */
    static final class Outputs extends Candidates
    {
        private static final long serialVersionUID = 1L;

        Outputs()
        {
            super(List.of("plain", "table", "json"));
        }
    }

    /** Of {@code kvctl load --phase}. */
    static final class Phases extends Candidates
    {
        private static final long serialVersionUID = 1L;

        Phases()
        {
            super(List.of("load", "run", "both"));
        }
    }

    /** Of {@code kvctl load --output}. */
    static final class Results extends Candidates
    {
        private static final long serialVersionUID = 1L;

        Results()
        {
            super(List.of("plain", "table", "json", "ycsb"));
        }
    }

    /** Of {@code kvctl completion}. */
    static final class Shells extends Candidates
    {
        private static final long serialVersionUID = 1L;

        Shells()
        {
            super(CompletionCommand.SHELLS);
        }
    }

    /** Of {@code kvctl load --store}. */
    static final class Stores extends Candidates
    {
        private static final long serialVersionUID = 1L;

        Stores()
        {
            super(List.of("server", "map"));
        }
    }

    /** Of {@code kvctl load --workload}. */
    static final class Workloads extends Candidates
    {
        private static final long serialVersionUID = 1L;

        Workloads()
        {
            super(List.of("a", "b", "c", "d", "f"));
        }
    }
}
