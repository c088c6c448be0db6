package org.onesided.tools.kvctl.command;

import java.util.ArrayList;
import java.util.List;

/**
 * Words that completion offers as values of an option. Picocli requires a class for each list.
 */
public abstract class Candidates extends ArrayList<String>
{
    private static final long serialVersionUID = 1L;

    protected Candidates(final String... words)
    {
        super(List.of(words));
    }
}
