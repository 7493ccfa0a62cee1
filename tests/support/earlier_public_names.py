"""The public names of earlier versions, by module: each still works, perhaps under a new name."""

EARLIER_NAMES: dict[str, str] = {
    "tokumei": """
        Claim ClaimError Comparison Fault Goal Guess History HistoryRelease InputError
        Knowledge OutputError PeriodHistory PeriodRelease Randomness Release Score Step
        Table TableMethod Text TokumeiError UsageError advise anonymize attack audit check
        conform diagnose k_anonymity kind l_diversity lifetime load_recipe look measure read
        read_history read_table render risk run_recipe sample sample_history sample_table
        save save_experiment sweep t_closeness unicity
    """,
    "tokumei.advice": """
        Advice Adviser Budget Candidate Figures Found Proposal Purpose Request Settings
        Skipped advise advise_steps adviser near
    """,
    "tokumei.conformity": """
        Conformity ConformityCase Finding Limits Roles Verdict
    """,
    "tokumei.contest": """
        ContestClient RemoteRefusal
    """,
    "tokumei.extending": """
        AttackRate Comparison Experiment Flow Goal Guess Kind Knowledge Limits Measure
        Output Provenance Recipe Registry UnknownNameError VERBS as_json_text claim_faults
        frame_output read_frame run_attacks text_output wilson
    """,
    "tokumei.histories": """
        Categories GeneralHistory HistoryGuess HistoryHits HistoryLayout choose_categories
        study_categories threshold
    """,
    "tokumei.ledger": """
        Check Contribution Ledger
    """,
    "tokumei.price": """
        Desk PriceAnswer PriceList PriceSession Question Valuation by_intent create_app
        cut_off_cost daily_optima expected_cost likenesses read_price_days sample_prices
        suggest suggestion_trial value_interval value_release
    """,
    "tokumei.pseudonyms": """
        ConfidenceCurve LifetimeCurve PartialKnowledge PeriodGuess PeriodRows attack_curves
        judge_safety judge_total sample_periods singular_effects
    """,
    "tokumei.spark": """
        SparkHistory SparkHistoryRelease SparkRelease read_spark_history
        save_history_on_spark save_on_spark spark_session
    """,
    "tokumei.tables": """
        Audit Choice Column ColumnKind Evaluation Hierarchy MembershipAttack Pipeline Risk
        Role Roles SampleClasses Schema Step StreamRelease TableMethod anonymize_stream
        builtin_hierarchy choose choose_hierarchies decidability evaluate
        identifying_columns journalist kept leaf_rules marketer membership_attacks mine
        parse_condition population_uniques propose_hierarchy prosecutor read_hierarchies
        read_hierarchy read_link read_rules rule_trial save_stream split_people suda
        uniqueness write_hierarchy
    """,
}
