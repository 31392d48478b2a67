"""The judges: each learns from forms and gives a function that judges forms, features included."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace

import numpy as np
from formasaurus import formtype_model
from lxml.html import HtmlElement
from scipy.special import expit
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from bench.judges.bayes import learn_bayes, score_bayes
from bench.judges.features import FEATURES, NOMINAL
from bench.judges.figures import SEARCH, Opinion
from bench.judges.pages import Sample, measure_element, read_words

PRUNINGS = (0.0, 0.001, 0.002, 0.003, 0.004, 0.005, 0.007, 0.01, 0.02)  # chosen among inside the training folds
INNER_FOLDS = 5
SEED = 0


Judge = Callable[[Sequence[HtmlElement]], list[Opinion]]
Learn = Callable[[Sequence[Sample]], Judge]


def learn_tree(samples: Sequence[Sample]) -> Judge:
    """Paper 2's C4.5: entropy, two forms in a leaf at least (J48), pruned as does best on domains held back."""
    grower = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=SEED)
    search = GridSearchCV(grower, {"ccp_alpha": PRUNINGS}, cv=GroupKFold(INNER_FOLDS))
    search.fit(_measure(_elements(samples)), _wanted(samples), groups=[sample.row.domain for sample in samples])
    tree = search.best_estimator_
    return lambda forms: _say(tree.predict_proba(_measure(forms))[:, 1])


def learn_svm(samples: Sequence[Sample]) -> Judge:
    """Paper 2's support vector machine as WEKA's SMO: linear, C = 1, features brought to 0..1."""
    machine = make_pipeline(MinMaxScaler(), SVC(kernel="linear", C=1.0))
    machine.fit(_measure(_elements(samples)), _wanted(samples))
    return lambda forms: _say(expit(machine.decision_function(_measure(forms))))


def learn_naive_bayes(samples: Sequence[Sample]) -> Judge:
    """Paper 2's naive Bayes as WEKA's NaiveBayes."""
    bayes = learn_bayes(_measure(_elements(samples)), _wanted(samples), NOMINAL)
    return lambda forms: _say(score_bayes(bayes, _measure(forms)))


def learn_perceptron(samples: Sequence[Sample]) -> Judge:
    """Paper 2's perceptron as WEKA's: one layer of (features + classes) / 2, rate 0.3, momentum 0.2, up to 500 rounds.

    WEKA learns form by form; batches of 32 and an end when nothing improves take minutes less and err no more.
    """
    layer = (len(FEATURES) + 2) // 2
    network = MLPClassifier(
        (layer,), activation="logistic", solver="sgd", alpha=0.0, batch_size=32, learning_rate_init=0.3, momentum=0.2,
        nesterovs_momentum=False, max_iter=500, random_state=SEED,
    )  # fmt: skip
    model = make_pipeline(MinMaxScaler((-1, 1)), network).fit(_measure(_elements(samples)), _wanted(samples))
    return lambda forms: _say(model.predict_proba(_measure(forms))[:, 1])


def learn_text(samples: Sequence[Sample]) -> Judge:
    """Paper 5's second classifier: a support vector machine over the words of a form, search against the rest."""
    machine = make_pipeline(TfidfVectorizer(), LinearSVC(C=1.0, random_state=SEED))
    machine.fit([read_words(sample.element) for sample in samples], _wanted(samples))
    return lambda forms: _say(expit(machine.decision_function([read_words(form) for form in forms])))


def learn_pair(samples: Sequence[Sample]) -> Judge:
    """Paper 5's HIFI: a form searches when its structure and its words both say so."""
    structure, text = learn_tree(samples), learn_text(samples)

    def judge(forms: Sequence[HtmlElement]) -> list[Opinion]:
        pairs = zip(structure(forms), text(forms), strict=True)
        return _say(min(one.score, other.score) for one, other in pairs)

    return judge


def learn_formasaurus(samples: Sequence[Sample]) -> Judge:
    """Formasaurus, its own features and estimator, trained as it trains itself: each form once."""
    once: dict[str, Sample] = {}
    for sample in samples:
        once.setdefault(sample.fingerprint, sample)
    annotations = [SimpleNamespace(form=sample.element, type=sample.row.type) for sample in once.values()]
    model = formtype_model.train(annotations, clone(formtype_model.get_model()))  # its models share their vectorizers
    column = list(model.classes_).index(SEARCH)

    def judge(forms: Sequence[HtmlElement]) -> list[Opinion]:
        chances = model.predict_proba(forms)
        said = [str(kind) for kind in model.classes_[chances.argmax(axis=1)]]
        return [Opinion(kind, kind == SEARCH, float(row[column])) for kind, row in zip(said, chances, strict=True)]

    return judge


LEARNERS: dict[str, Learn] = {
    "paper2-tree": learn_tree,
    "paper2-svm": learn_svm,
    "paper2-bayes": learn_naive_bayes,
    "paper2-perceptron": learn_perceptron,
    "hifi-structure": learn_tree,  # paper 5 takes the searchable form classifier of paper 2's authors as it is
    "hifi-text": learn_text,
    "hifi": learn_pair,
    "formasaurus": learn_formasaurus,
}


def _say(scores: Iterable[float]) -> list[Opinion]:
    return [Opinion(None, bool(score > 0.5), float(score)) for score in scores]


def _elements(samples: Iterable[Sample]) -> list[HtmlElement]:
    return [sample.element for sample in samples]


def _measure(forms: Iterable[HtmlElement]) -> np.ndarray:
    return np.array([measure_element(form) for form in forms])


def _wanted(samples: Iterable[Sample]) -> np.ndarray:
    return np.array([int(sample.row.type == SEARCH) for sample in samples])
