package org.onesided.library;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;

/**
 * Compares the comments of public methods and records with their annotations: what may be null by one is so by the
 * other. It also sees a method that plainly returns null; through which other calls a null comes it does not.
 */
final class DocumentedNulls extends TreePathScanner<Void, Void>
{
    private static final String NULLABLE = "@Nullable";
    private static final Pattern NULL = Pattern.compile("(?<!never )\\bnull\\b");

    private final DocTrees docs;
    private final List<String> problems;
    private int documented;

    DocumentedNulls(final DocTrees docs, final List<String> problems)
    {
        this.docs = docs;
        this.problems = problems;
    }

    /** How many comments were looked at. */
    int documented()
    {
        return documented;
    }

    @Override
    public Void visitClass(final ClassTree type, final Void none)
    {
        if (!isPublic(type.getModifiers().getFlags()))
        {
            // What is nested in it is public to nobody else.
            return null;
        }
        final DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
        if (type.getKind() == Tree.Kind.RECORD && comment != null)
        {
            for (final Tree member : type.getMembers())
            {
                if (member instanceof final VariableTree component &&
                    !component.getModifiers().getFlags().contains(Modifier.STATIC))
                {
                    compare(type.getSimpleName() + "." + component.getName(), component, comment);
                }
            }
        }
        return super.visitClass(type, none);
    }

    @Override
    public Void visitMethod(final MethodTree method, final Void none)
    {
        if (isPublic(method.getModifiers().getFlags()))
        {
            final ClassTree type = (ClassTree)getCurrentPath().getParentPath().getLeaf();
            final String name = type.getSimpleName() + "." + method.getName();
            final DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
            final boolean isAnnotated = method.getReturnType() != null &&
                (method.getReturnType() + " " + method.getModifiers()).contains(NULLABLE);
            if (comment != null)
            {
                documented++;
                compareResult(name, isAnnotated, comment);
                method.getParameters().forEach(parameter -> compare(name, parameter, comment));
            }
            if (!isAnnotated && isNullReturned(method) && !method.getReturnType().toString().equals("Void"))
            {
                problems.add(name + ": it returns null, and is not @Nullable");
            }
        }
        // Types within a method are nobody else's.
        return null;
    }

    private boolean isPublic(final Set<Modifier> flags)
    {
        final TreePath around = getCurrentPath().getParentPath();
        return flags.contains(Modifier.PUBLIC) ||
            around.getLeaf().getKind() == Tree.Kind.INTERFACE && !flags.contains(Modifier.PRIVATE);
    }

    private void compareResult(final String name, final boolean isAnnotated, final DocCommentTree comment)
    {
        for (final DocTree tag : comment.getBlockTags())
        {
            if (tag.getKind() == DocTree.Kind.RETURN)
            {
                final boolean isDocumented = isNull(tag);
                if (isDocumented && !isAnnotated)
                {
                    problems.add(name + ": its result may be null by its comment, and is not @Nullable");
                }
                else if (isAnnotated && !isDocumented)
                {
                    problems.add(name + ": its result is @Nullable, which its comment does not say");
                }
            }
        }
    }

    private void compare(final String name, final VariableTree parameter, final DocCommentTree comment)
    {
        final boolean isAnnotated = (parameter.getType() + " " + parameter.getModifiers()).contains(NULLABLE);
        for (final DocTree tag : comment.getBlockTags())
        {
            if (tag instanceof final ParamTree param && !param.isTypeParameter() &&
                param.getName().getName().contentEquals(parameter.getName()))
            {
                final boolean isDocumented = isNull(tag);
                if (isDocumented && !isAnnotated)
                {
                    problems.add(name + ": " + parameter.getName() +
                        " may be null by its comment, and is not @Nullable");
                }
                else if (isAnnotated && !isDocumented)
                {
                    problems.add(name + ": " + parameter.getName() +
                        " is @Nullable, which its comment does not say");
                }
            }
        }
    }

    private static boolean isNull(final DocTree tag)
    {
        return NULL.matcher(tag.toString().toLowerCase(Locale.ROOT)).find();
    }

    private static boolean isNullReturned(final MethodTree method)
    {
        final boolean[] isFound = {false};
        new TreeScanner<Void, Void>()
        {
            @Override
            public Void visitReturn(final ReturnTree statement, final Void none)
            {
                isFound[0] |= isNull(statement.getExpression());
                return null;
            }

            @Override
            public Void visitLambdaExpression(final LambdaExpressionTree lambda, final Void none)
            {
                return null;
            }

            @Override
            public Void visitClass(final ClassTree type, final Void none)
            {
                return null;
            }
        }.scan(method.getBody(), null);
        return isFound[0];
    }

    private static boolean isNull(final ExpressionTree expression)
    {
        return expression != null && switch (expression.getKind())
        {
            case NULL_LITERAL -> true;
            case PARENTHESIZED -> isNull(((ParenthesizedTree)expression).getExpression());
            case CONDITIONAL_EXPRESSION ->
                isNull(((ConditionalExpressionTree)expression).getTrueExpression()) ||
                    isNull(((ConditionalExpressionTree)expression).getFalseExpression());
            default -> false;
        };
    }
}
