package org.onesided.tools.kvctl;

import java.util.ArrayList;
import java.util.List;

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
            super(List.of("auto", "shm", "ibv", "ibv:"));
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

    /** Of {@code kvctl completion}. */
    static final class Shells extends Candidates
    {
        private static final long serialVersionUID = 1L;

        Shells()
        {
            super(CompletionCommand.SHELLS);
        }
    }
}
